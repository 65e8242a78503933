import { useState } from 'react';
import { partOf, useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
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
import { AddMember, InvitationLink, InviteMember, type SentInvitation } from './invite-member.tsx';
import { ManageMember } from './manage-member.tsx';

export function Members() {
  const { data } = useGraphQuery(SeatsDocument, {}, { typenames: ['User', 'Organization'] });
  const { seatLimit = null, memberCount = 0 } = data?.organization ?? {};
  return (
    <>
      <PageHead
        title="Members"
        lead={seatLimit === null ? undefined : `${memberCount} of ${seatLimit} seats are taken.`}
        actions={
          <>
            <AddMember />
            <InviteMember />
          </>
        }
      />
      {seatLimit !== null && memberCount >= seatLimit && (
        <Notice tone="busy">
          All seats are taken. Invited people can join when a seat becomes free.
        </Notice>
      )}
      <Card title="Members">
        <MemberList />
      </Card>
      <Card title="Pending invitations">
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
          label="Search by name or address"
          value={search}
          onSearch={(text) => set('search', text)}
        />
      </search>
      <PagedTable
        caption="Members"
        answer={partOf(answer, ({ users }) => users)}
        page={page}
        pageSize={20}
        onPage={setPage}
        empty={<EmptyState title="No matching members" />}
        columns={[
          {
            title: 'Name',
            cell: (user) => (
              <div>
                <strong>{displayName(user)}</strong>
                <div className="quiet">{user.email}</div>
              </div>
            ),
          },
          {
            title: 'Role',
            cell: ({ isAdmin }) =>
              isAdmin ? <Badge tone="busy">Administrator</Badge> : <Badge>Member</Badge>,
          },
          {
            title: 'Teams',
            cell: ({ teams }) => teams.map(({ name }) => name).join(', ') || '–',
            narrow: 'hide',
          },
          { title: 'Keys', cell: ({ apiKeyCount }) => apiKeyCount, align: 'end', narrow: 'hide' },
          { title: 'Last sign-in', cell: ({ lastLogin }) => <Time at={lastLogin} style="ago" /> },
          { title: 'Actions', align: 'end', cell: (user) => <ManageMember user={user} /> },
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
        caption="Pending invitations"
        answer={partOf(answer, ({ invitations }) => invitations)}
        page={page}
        pageSize={20}
        onPage={setPage}
        lines={4}
        empty={<EmptyState title="No pending invitations" />}
        columns={[
          { title: 'Address', cell: invitedPerson },
          {
            title: 'Invited by',
            cell: ({ invitedBy }) => (invitedBy ? displayName(invitedBy) : '–'),
            narrow: 'hide',
          },
          { title: 'State', cell: invitationState },
          {
            title: 'Actions',
            align: 'end',
            cell: ({ id, email }) => (
              <div className="row row-actions">
                <Button
                  subject={`for ${email}`}
                  busy={resend.busy}
                  onClick={() => createNewLink(id)}
                >
                  New link
                </Button>
                <ConfirmButton
                  label="Revoke"
                  subject={`the invitation of ${email}`}
                  title="Revoke this invitation?"
                  question={`The link that ${email} received stops working.`}
                  confirmLabel="Revoke"
                  done={`The invitation of ${email} was revoked`}
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
      {[role === 'ADMIN' ? 'Administrator' : 'Member', team?.name].filter(Boolean).join(', ')}
    </div>
  </div>
);

const invitationState = ({ state, expiresAt }: PendingInvitation) =>
  state === 'EXPIRED' ? (
    <Badge tone="bad">Expired</Badge>
  ) : (
    <span>
      Valid until <Time at={expiresAt} />
    </span>
  );
