import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  type AccessLevel,
  ShareAssistantDocument,
  SharesDocument,
  type SharesQuery,
  UnshareAssistantDocument,
} from '../documents.ts';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import { levelOptions } from './level-options.ts';
import { ShareForm } from './share-form.tsx';

type Share = SharesQuery['assistant']['shares'][number];

const holderOf = ({ user, team }: Share) => ({
  ...(user ? { userId: user.id } : {}),
  ...(team ? { teamId: team.id } : {}),
});
const none: readonly Share[] = [];
const invalidates = ['Assistant', 'AssistantShare'];

/** Who may do what with an assistant. */
export function Sharing({ assistantId }: { assistantId: string }) {
  const answer = useGraphQuery(SharesDocument, { assistantId }, { typenames: ['AssistantShare'] });
  const share = useGraphMutation(ShareAssistantDocument, { invalidates });
  const unshare = useGraphMutation(UnshareAssistantDocument, { invalidates });
  const toast = useToast();
  const fault = share.fault ?? unshare.fault;
  const { box, onRemoved } = useFocusAfterRemoval(answer.data?.assistant.shares ?? none);

  const change = async (held: Share, level: AccessLevel) => {
    unshare.clear();
    if (await share.run({ assistantId, level, ...holderOf(held) }))
      toast(`Changed for ${nameOf(held)}`);
  };
  const remove = async (held: Share) => {
    share.clear();
    if (!(await unshare.run({ assistantId, ...holderOf(held) }))) return;
    onRemoved();
    toast(`No longer shared with ${nameOf(held)}`);
  };

  return (
    <Card title="Sharing">
      {fault && <FaultNote fault={fault} />}
      <Loaded answer={answer}>
        {({ assistant: { shares }, sharingTeams }) => (
          <div ref={box} tabIndex={-1} className="assistants-rows">
            <Table
              caption="Whom it is shared with"
              rows={shares}
              keyOf={({ id }) => id}
              columns={[
                { title: 'With', cell: nameOf },
                {
                  title: 'Level',
                  cell: (held) => (
                    <select
                      aria-label={`Level for ${nameOf(held)}`}
                      className="assistants-level"
                      value={held.level}
                      disabled={share.busy}
                      onChange={({ target }) => change(held, levelIn(target.value))}
                    >
                      {levelOptions.map(({ value, label }) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </select>
                  ),
                },
                {
                  title: 'Since',
                  narrow: 'hide',
                  cell: ({ createdAt }) => <Time at={createdAt} />,
                },
                {
                  title: '',
                  align: 'end',
                  cell: (held) => (
                    <ConfirmButton
                      kind="quiet"
                      label={
                        <>
                          Remove<span className="sr-only"> {nameOf(held)}</span>
                        </>
                      }
                      title={`Stop sharing with ${nameOf(held)}?`}
                      question="The assistant disappears for them at once. What they were told stays with them."
                      confirmLabel="Stop sharing"
                      onConfirm={() => remove(held)}
                    />
                  ),
                },
              ]}
            />
            <ShareForm assistantId={assistantId} teams={sharingTeams} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function nameOf({ user, team }: Share): string {
  if (team) return `Team ${team.name}`;
  if (!user) return 'Everybody in the organization';
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  return name ? `${name} (${user.email})` : user.email;
}

const levelIn = (value: string): AccessLevel =>
  levelOptions.find((option) => option.value === value)?.value ?? 'VIEW';
