import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t, withTexts } from '../../texts/text.ts';
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
import { levelOptions, levels, levelsHint } from '../levels.ts';
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
      toast.show(t('sharing.changedFor', { name: recipientName(share) }));
  };
  const remove = async (share: AssistantShare) => {
    saveShare.clear();
    if (!(await removeShare.run({ assistantId, ...recipientOf(share) }))) return;
    onRemoved();
    toast.show(t('sharing.noLongerShared', { name: recipientName(share) }));
  };

  return (
    <Card title={t('sharing.sharing')}>
      <FaultNote fault={fault} />
      <Loaded answer={answer}>
        {({ assistant: { shares }, sharingTeams }) => (
          <div ref={container} tabIndex={-1}>
            <Table
              caption={t('sharing.accessCaption')}
              rows={shares}
              columns={[
                { title: t('sharing.with'), cell: recipientName },
                {
                  title: t('sharing.level'),
                  cell: (share) => (
                    <select
                      aria-label={t('sharing.levelFor', { name: recipientName(share) })}
                      className="assistants-level"
                      value={share.level}
                      disabled={saveShare.busy}
                      onChange={({ target }) => change(share, parseLevel(target.value))}
                    >
                      <Options options={levelOptions()} />
                    </select>
                  ),
                },
                {
                  title: t('sharing.since'),
                  narrow: 'hide',
                  cell: ({ createdAt }) => <Time at={createdAt} />,
                },
                {
                  title: '',
                  align: 'end',
                  cell: (share) => (
                    <ConfirmButton
                      kind="quiet"
                      label={t('sharing.remove')}
                      subject={recipientName(share)}
                      title={t('sharing.stopQuestion', { name: recipientName(share) })}
                      question={t('sharing.stopHint')}
                      confirmLabel={t('sharing.stopSharing')}
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
  if (team) return t('sharing.teamName', { name: team.name });
  if (!user) return t('sharing.everybodyInOrganization');
  const name = displayName(user);
  return name === user.email ? name : `${name} (${user.email})`;
}

const parseLevel = (value: string): AccessLevel =>
  levels.find((level) => level === value) ?? 'VIEW';

type SharingTeam = { id: string; name: string };

const kinds = [
  { value: 'person', label: 'sharing.person' },
  { value: 'team', label: 'sharing.team' },
  { value: 'everybody', label: 'sharing.everybody' },
] as const;

function ShareForm({ assistantId, teams }: { assistantId: string; teams: readonly SharingTeam[] }) {
  const { run, busy, fault, clear } = useGraphMutation(ShareAssistantDocument, {
    invalidates: ['Assistant', 'AssistantShare'],
  });
  const toast = useToast();
  const [kind, setKind] = useState<string>('person');
  const [level, setLevel] = useState<AccessLevel>('VIEW');
  const [email, setEmail] = useState('');
  const [teamId, setTeamId] = useState(teams[0]?.id ?? '');

  const share = async () => {
    const recipient =
      kind === 'person' ? { email: email.trim() } : kind === 'team' ? { teamId } : {};
    if (!(await run({ assistantId, level, ...recipient }))) return;
    setEmail('');
    toast.show(t('sharing.shared'));
  };
  const shownFault =
    fault?.code === 'NOT_FOUND' && kind === 'person'
      ? {
          ...fault,
          message: t('sharing.noSuchPerson', { email: email.trim() }),
        }
      : fault;

  return (
    <Form
      onSubmit={share}
      action={{ busy, fault: shownFault }}
      label={t('sharing.shareWithOthers')}
      className="assistants-share"
    >
      <h3>{t('sharing.shareWithOthers')}</h3>
      <div className="toolbar">
        <SelectField
          label={t('sharing.with')}
          options={withTexts(
            teams.length > 0 ? kinds : kinds.filter(({ value }) => value !== 'team'),
          )}
          value={kind}
          onChange={({ target }) => {
            clear();
            setKind(target.value);
          }}
        />
        {kind === 'person' && (
          <TextField
            label={t('sharing.emailAddress')}
            type="email"
            required
            autoComplete="off"
            value={email}
            onText={setEmail}
          />
        )}
        {kind === 'team' && (
          <Combobox
            label={t('sharing.teamField')}
            options={teams.map(({ id, name }) => ({ value: id, label: name }))}
            value={teamId}
            onValue={setTeamId}
          />
        )}
        <SelectField
          label={t('sharing.level')}
          options={levelOptions()}
          value={level}
          onChange={({ target }) => setLevel(parseLevel(target.value))}
        />
        <Button type="submit" busy={busy}>
          {t('sharing.share')}
        </Button>
      </div>
      <p className="hint">{levelsHint()}</p>
    </Form>
  );
}
