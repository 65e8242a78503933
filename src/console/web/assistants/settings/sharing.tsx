import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Options, SelectField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { displayName } from '../../ui/labels.ts';
import { Card } from '../../ui/page.tsx';
import { FaultNote, Loaded } from '../../ui/status.tsx';
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
import { levelOptions, levelsHint } from '../levels.ts';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';

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
      toast.show(`Changed for ${recipientName(share)}`);
  };
  const remove = async (share: AssistantShare) => {
    saveShare.clear();
    if (!(await removeShare.run({ assistantId, ...recipientOf(share) }))) return;
    onRemoved();
    toast.show(`No longer shared with ${recipientName(share)}`);
  };

  return (
    <Card title="Sharing">
      <FaultNote fault={fault} />
      <Loaded answer={answer}>
        {({ assistant: { shares }, sharingTeams }) => (
          <div ref={container} tabIndex={-1}>
            <Table
              caption="People and teams with access"
              rows={shares}
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
                      <Options options={levelOptions} />
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
                      label="Remove"
                      subject={recipientName(share)}
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
  const name = displayName(user);
  return name === user.email ? name : `${name} (${user.email})`;
}

const parseLevel = (value: string): AccessLevel =>
  levelOptions.find((option) => option.value === value)?.value ?? 'VIEW';

type SharingTeam = { id: string; name: string };

const kinds = [
  { value: 'person', label: 'A person' },
  { value: 'team', label: 'A team' },
  { value: 'everybody', label: 'Everybody' },
];

function ShareForm({ assistantId, teams }: { assistantId: string; teams: readonly SharingTeam[] }) {
  const { run, busy, fault, clear } = useGraphMutation(ShareAssistantDocument, {
    invalidates: ['Assistant', 'AssistantShare'],
  });
  const toast = useToast();
  const [kind, setKind] = useState('person');
  const [level, setLevel] = useState<AccessLevel>('VIEW');
  const [email, setEmail] = useState('');
  const [teamId, setTeamId] = useState(teams[0]?.id ?? '');

  const share = async () => {
    const recipient =
      kind === 'person' ? { email: email.trim() } : kind === 'team' ? { teamId } : {};
    if (!(await run({ assistantId, level, ...recipient }))) return;
    setEmail('');
    toast.show('Shared');
  };
  const shownFault =
    fault?.code === 'NOT_FOUND' && kind === 'person'
      ? {
          ...fault,
          message: `Nobody in the organization has the address ${email.trim()}. Check it, or ask an administrator to invite them.`,
        }
      : fault;

  return (
    <Form
      onSubmit={share}
      action={{ busy, fault: shownFault }}
      label="Share with others"
      className="assistants-share"
    >
      <h3>Share with others</h3>
      <div className="toolbar">
        <SelectField
          label="With"
          options={teams.length > 0 ? kinds : kinds.filter(({ value }) => value !== 'team')}
          value={kind}
          onChange={({ target }) => {
            clear();
            setKind(target.value);
          }}
        />
        {kind === 'person' && (
          <TextField
            label="E-mail address"
            type="email"
            required
            autoComplete="off"
            value={email}
            onText={setEmail}
          />
        )}
        {kind === 'team' && (
          <Combobox
            label="Team"
            options={teams.map(({ id, name }) => ({ value: id, label: name }))}
            value={teamId}
            onValue={setTeamId}
          />
        )}
        <SelectField
          label="Level"
          options={levelOptions}
          value={level}
          onChange={({ target }) =>
            setLevel(levelOptions.find(({ value }) => value === target.value)?.value ?? 'VIEW')
          }
        />
        <Button type="submit" busy={busy}>
          Share
        </Button>
      </div>
      <p className="hint">{levelsHint}</p>
    </Form>
  );
}
