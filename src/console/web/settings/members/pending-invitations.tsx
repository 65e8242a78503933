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
import { InvitationLink, type Sent } from './invitation-link.tsx';

type Invitation = InvitationsQuery['invitations']['items'][number];

/** Who was invited and has not come yet. */
export function PendingInvitations() {
  const [page, setPage] = useState(1);
  const [sent, setSent] = useState<Sent>();
  const answer = useGraphQuery(InvitationsDocument, { page }, { typenames: ['Invitation'] });
  const resend = useGraphMutation(ResendInvitationDocument, { invalidates: ['Invitation'] });
  const revoke = useGraphMutation(RevokeInvitationDocument, { invalidates: ['Invitation'] });
  const toast = useToast();
  const fault = resend.fault ?? revoke.fault;

  const sendAgain = async ({ id }: Invitation) => {
    const done = await resend.run({ id });
    if (done) setSent(done.sent);
  };
  const withdraw = async ({ id, email }: Invitation) => {
    if (await revoke.run({ id })) toast(`The invitation of ${email} is withdrawn`);
  };

  return (
    <>
      {fault && <FaultNote fault={fault} />}
      <Loaded answer={answer}>
        {({ invitations: { items, total, pageSize } }) => (
          <>
            {total === 0 ? (
              <EmptyState title="Nobody is invited at the moment" />
            ) : (
              <Table
                caption="Open invitations"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Address', cell: (invitation) => <Invited {...invitation} /> },
                  {
                    title: 'Invited by',
                    cell: ({ invitedBy }) => (invitedBy ? displayName(invitedBy) : '–'),
                    narrow: 'hide',
                  },
                  { title: 'State', cell: (invitation) => <State {...invitation} /> },
                  {
                    title: 'Actions',
                    align: 'end',
                    cell: (invitation) => (
                      <div className="row-actions">
                        <Button busy={resend.busy} onClick={() => sendAgain(invitation)}>
                          New link<span className="sr-only"> for {invitation.email}</span>
                        </Button>
                        <ConfirmButton
                          title="Withdraw this invitation?"
                          label={
                            <>
                              Revoke
                              <span className="sr-only"> the invitation of {invitation.email}</span>
                            </>
                          }
                          question={`The link that ${invitation.email} has then leads nowhere.`}
                          confirmLabel="Revoke"
                          onConfirm={() => withdraw(invitation)}
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

const Invited = ({ email, role, team }: Invitation) => (
  <div>
    <strong>{email}</strong>
    <div className="quiet">
      {[role === 'ADMIN' ? 'Administrator' : 'Member', team?.name].filter(Boolean).join(', ')}
    </div>
  </div>
);

const State = ({ state, expiresAt }: Invitation) =>
  state === 'EXPIRED' ? (
    <Badge tone="bad">Expired</Badge>
  ) : (
    <span>
      Open until <Time at={expiresAt} />
    </span>
  );
