import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useGraphQuery } from '../../graph/use-graph-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { displayName } from '../display-name.ts';
import {
  InvitationsDocument,
  type InvitationsQuery,
  ResendInvitationDocument,
  RevokeInvitationDocument,
} from './documents.ts';
import { InvitationLink, type SentInvitation } from './invitation-link.tsx';

type PendingInvitation = InvitationsQuery['invitations']['items'][number];

/** People who were invited and have not joined yet. */
export function PendingInvitations() {
  const [page, setPage] = useState(1);
  const [sent, setSent] = useState<SentInvitation>();
  const answer = useGraphQuery(InvitationsDocument, { page }, { typenames: ['Invitation'] });
  const resend = useGraphMutation(ResendInvitationDocument, { invalidates: ['Invitation'] });
  const revoke = useGraphMutation(RevokeInvitationDocument, { invalidates: ['Invitation'] });
  const toast = useToast();
  const fault = resend.fault ?? revoke.fault;

  const createNewLink = async ({ id }: PendingInvitation) => {
    const result = await resend.run({ id });
    if (result) setSent(result.sent);
  };
  const revokeInvitation = async ({ id, email }: PendingInvitation) => {
    if (await revoke.run({ id })) toast(`The invitation of ${email} was revoked`);
  };

  return (
    <>
      {fault && <FaultNote fault={fault} />}
      <Loaded answer={answer}>
        {({ invitations: { items, total, pageSize } }) => (
          <>
            {total === 0 ? (
              <EmptyState title="No pending invitations" />
            ) : (
              <Table
                caption="Pending invitations"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Address', cell: (invitation) => <InvitedPerson {...invitation} /> },
                  {
                    title: 'Invited by',
                    cell: ({ invitedBy }) => (invitedBy ? displayName(invitedBy) : '–'),
                    narrow: 'hide',
                  },
                  { title: 'State', cell: (invitation) => <InvitationState {...invitation} /> },
                  {
                    title: 'Actions',
                    align: 'end',
                    cell: (invitation) => (
                      <div className="row-actions">
                        <Button busy={resend.busy} onClick={() => createNewLink(invitation)}>
                          New link<span className="sr-only"> for {invitation.email}</span>
                        </Button>
                        <ConfirmButton
                          title="Revoke this invitation?"
                          label={
                            <>
                              Revoke
                              <span className="sr-only"> the invitation of {invitation.email}</span>
                            </>
                          }
                          question={`The link that ${invitation.email} received stops working.`}
                          confirmLabel="Revoke"
                          onConfirm={() => revokeInvitation(invitation)}
                        />
                      </div>
                    ),
                  },
                ]}
              />
            )}
            <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
          </>
        )}
      </Loaded>
      {sent && <InvitationLink sent={sent} onClose={() => setSent(undefined)} />}
    </>
  );
}

const InvitedPerson = ({ email, role, team }: PendingInvitation) => (
  <div>
    <strong>{email}</strong>
    <div className="quiet">
      {[role === 'ADMIN' ? 'Administrator' : 'Member', team?.name].filter(Boolean).join(', ')}
    </div>
  </div>
);

const InvitationState = ({ state, expiresAt }: PendingInvitation) =>
  state === 'EXPIRED' ? (
    <Badge tone="bad">Expired</Badge>
  ) : (
    <span>
      Valid until <Time at={expiresAt} />
    </span>
  );
