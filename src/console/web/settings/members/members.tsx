import { useState } from 'react';
import { partOf, useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { displayName } from '../../ui/labels.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { Badge, EmptyState, FaultNote, Notice } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import {
  InvitationsDocument,
  type InvitationsQuery,
  MembersDocument,
  ResendInvitationDocument,
  RevokeInvitationDocument,
  SeatsDocument,
} from './documents.ts';
import { ImportPeople } from './import-people.tsx';
import { AddMember, InvitationLink, InviteMember, type SentInvitation } from './invite-member.tsx';
import { ManageMember } from './manage-member.tsx';

export function Members() {
  const { data } = useGraphQuery(SeatsDocument, {}, { typenames: ['User', 'Organization'] });
  const { seatLimit = null, memberCount = 0 } = data?.organization ?? {};
  return (
    <>
      <PageHead
        title={t('members.members')}
        lead={seatLimit === null ? undefined : t('members.seatsTaken', { memberCount, seatLimit })}
        actions={
          <>
            <AddMember />
            <ImportPeople />
            <InviteMember />
          </>
        }
      />
      {seatLimit !== null && memberCount >= seatLimit && (
        <Notice tone="busy">{t('members.allSeatsTaken')}</Notice>
      )}
      <Card title={t('members.members')}>
        <MemberList />
      </Card>
      <Card title={t('members.pendingInvitations')}>
        <PendingInvitations />
      </Card>
    </>
  );
}

function MemberList() {
  const { filter, page, set, setPage } = useFilter(['search']);
  const { search = '' } = filter;
  const answer = useGraphQuery(
    MembersDocument,
    { page, search: search || null },
    { typenames: ['User'] },
  );
  return (
    <>
      <search className="toolbar settings-search">
        <SearchField
          label={t('members.searchLabel')}
          value={search}
          onSearch={(text) => set('search', text)}
        />
      </search>
      <PagedTable
        caption={t('members.members')}
        answer={partOf(answer, ({ users }) => users)}
        page={page}
        pageSize={20}
        onPage={setPage}
        empty={<EmptyState title={t('members.noMatching')} />}
        columns={[
          {
            title: t('members.name'),
            cell: (user) => (
              <div>
                <strong>{displayName(user)}</strong>
                <div className="quiet">
                  <Address>{user.email}</Address>
                </div>
              </div>
            ),
          },
          {
            title: t('members.role'),
            cell: ({ isAdmin }) =>
              isAdmin ? (
                <Badge tone="busy">{t('members.administrator')}</Badge>
              ) : (
                <Badge>{t('members.member')}</Badge>
              ),
          },
          {
            title: t('members.teams'),
            cell: ({ teams }) => teams.map(({ name }) => name).join(', ') || '–',
            narrow: 'hide',
          },
          {
            title: t('members.keys'),
            cell: ({ apiKeyCount }) => apiKeyCount,
            align: 'end',
            narrow: 'hide',
          },
          {
            title: t('members.lastSignIn'),
            cell: ({ lastLogin }) => <Time at={lastLogin} style="ago" />,
          },
          {
            title: t('members.actions'),
            align: 'end',
            cell: (user) => <ManageMember user={user} />,
          },
        ]}
      />
    </>
  );
}

type PendingInvitation = InvitationsQuery['invitations']['nodes'][number];

/** People who were invited and have not joined yet. */
function PendingInvitations() {
  const [page, setPage] = useState(1);
  const [sent, setSent] = useState<SentInvitation>();
  const answer = useGraphQuery(InvitationsDocument, { page }, { typenames: ['Invitation'] });
  const resend = useGraphMutation(ResendInvitationDocument, { invalidates: ['Invitation'] });
  const revoke = useGraphMutation(RevokeInvitationDocument, { invalidates: ['Invitation'] });
  const createNewLink = async (id: string) => setSent((await resend.run({ id }))?.sent);
  return (
    <>
      <FaultNote fault={resend.fault ?? revoke.fault} />
      <PagedTable
        caption={t('members.pendingInvitations')}
        answer={partOf(answer, ({ invitations }) => invitations)}
        page={page}
        pageSize={20}
        onPage={setPage}
        lines={4}
        empty={<EmptyState title={t('members.noPending')} />}
        columns={[
          { title: t('members.address'), cell: invitedPerson },
          {
            title: t('members.invitedBy'),
            cell: ({ invitedBy }) => (invitedBy ? displayName(invitedBy) : '–'),
            narrow: 'hide',
          },
          { title: t('members.state'), cell: invitationState },
          {
            title: t('members.actions'),
            align: 'end',
            cell: ({ id, email }) => (
              <div className="row row-actions">
                <Button
                  subject={t('members.forEmail', { email })}
                  busy={resend.busy}
                  onClick={() => createNewLink(id)}
                >
                  {t('members.newLink')}
                </Button>
                <ConfirmButton
                  label={t('members.revoke')}
                  subject={t('members.invitationOf', { email })}
                  title={t('members.revokeQuestion')}
                  question={t('members.revokeHint', { email })}
                  confirmLabel={t('members.revoke')}
                  done={t('members.wasRevoked', { email })}
                  onConfirm={() => revoke.run({ id })}
                />
              </div>
            ),
          },
        ]}
      />
      {sent && <InvitationLink sent={sent} onClose={() => setSent(undefined)} />}
    </>
  );
}

const invitedPerson = ({ email, role, team }: PendingInvitation) => (
  <div>
    <strong>{email}</strong>
    <div className="quiet">
      {[role === 'ADMIN' ? t('members.administrator') : t('members.member'), team?.name]
        .filter(Boolean)
        .join(', ')}
    </div>
  </div>
);

const invitationState = ({ state, expiresAt }: PendingInvitation) =>
  state === 'EXPIRED' ? (
    <Badge tone="bad">{t('members.expired')}</Badge>
  ) : (
    <span>
      {t('members.validUntil')} <Time at={expiresAt} />
    </span>
  );
