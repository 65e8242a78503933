import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Options } from '../../ui/fields.tsx';
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
import { levelOptions, parseLevel } from '../levels.ts';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import { ShareForm } from './share-form.tsx';
import { personName } from './use-recipients.ts';

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
            <ShareForm assistantId={assistantId} shares={shares} teams={sharingTeams} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function recipientName({ user, team }: AssistantShare): string {
  if (team) return t('sharing.teamName', { name: team.name });
  return user ? personName(user) : t('sharing.everybodyInOrganization');
}
