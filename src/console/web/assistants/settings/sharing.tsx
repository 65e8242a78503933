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

type AssistantShare = SharesQuery['assistant']['shares'][number];

const recipientOf = ({ user, team }: AssistantShare) => ({
  ...(user ? { userId: user.id } : {}),
  ...(team ? { teamId: team.id } : {}),
});
const noShares: readonly AssistantShare[] = [];
const invalidates = ['Assistant', 'AssistantShare'];

/** The people and teams with access to an assistant, and their levels. */
export function Sharing({ assistantId }: { assistantId: string }) {
  const answer = useGraphQuery(SharesDocument, { assistantId }, { typenames: ['AssistantShare'] });
  const saveShare = useGraphMutation(ShareAssistantDocument, { invalidates });
  const removeShare = useGraphMutation(UnshareAssistantDocument, { invalidates });
  const toast = useToast();
  const fault = saveShare.fault ?? removeShare.fault;
  const { container, onRemoved } = useFocusAfterRemoval(answer.data?.assistant.shares ?? noShares);

  const change = async (share: AssistantShare, level: AccessLevel) => {
    removeShare.clear();
    if (await saveShare.run({ assistantId, level, ...recipientOf(share) }))
      toast(`Changed for ${recipientName(share)}`);
  };
  const remove = async (share: AssistantShare) => {
    saveShare.clear();
    if (!(await removeShare.run({ assistantId, ...recipientOf(share) }))) return;
    onRemoved();
    toast(`No longer shared with ${recipientName(share)}`);
  };

  return (
    <Card title="Sharing">
      {fault && <FaultNote fault={fault} />}
      <Loaded answer={answer}>
        {({ assistant: { shares }, sharingTeams }) => (
          <div ref={container} tabIndex={-1} className="assistants-rows">
            <Table
              caption="People and teams with access"
              rows={shares}
              keyOf={({ id }) => id}
              columns={[
                { title: 'With', cell: recipientName },
                {
                  title: 'Level',
                  cell: (share) => (
                    <select
                      aria-label={`Level for ${recipientName(share)}`}
                      className="assistants-level"
                      value={share.level}
                      disabled={saveShare.busy}
                      onChange={({ target }) => change(share, parseLevel(target.value))}
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
                  cell: (share) => (
                    <ConfirmButton
                      kind="quiet"
                      label={
                        <>
                          Remove<span className="sr-only"> {recipientName(share)}</span>
                        </>
                      }
                      title={`Stop sharing with ${recipientName(share)}?`}
                      question="They lose access to the assistant immediately. Answers that they already have are not deleted."
                      confirmLabel="Stop sharing"
                      onConfirm={() => remove(share)}
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

function recipientName({ user, team }: AssistantShare): string {
  if (team) return `Team ${team.name}`;
  if (!user) return 'Everybody in the organization';
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  return name ? `${name} (${user.email})` : user.email;
}

const parseLevel = (value: string): AccessLevel =>
  levelOptions.find((option) => option.value === value)?.value ?? 'VIEW';
