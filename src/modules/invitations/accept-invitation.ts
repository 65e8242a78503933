import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { fragment } from '../../platform/database/sql.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/errors.ts';
import { hashText } from '../../platform/hash.ts';
import { recordChange } from '../audit/record-change.ts';
import { notificationStatement } from '../notifications/notify.ts';
import { joinOrganization } from '../organizations/join-organization.ts';
import { type Invitation, stateOf } from './invitation.ts';
import { invitationRefused, requireOpen } from './invitation-refused.ts';
import { lockInvitation } from './lock-invitation.ts';

type AcceptInvitationInput = { token: string; userId: string };
type AcceptInvitationDependencies = { database: Database; clock: Clock; requestId: string };

/**
 * Makes the owner of the invited address a member. This does not verify the address: the
 * administrator who invites has the same link as the mail, and could sign up with another person's
 * address.
 */
export async function acceptInvitation(
  { token, userId }: AcceptInvitationInput,
  { database, clock, requestId }: AcceptInvitationDependencies,
): Promise<{ organizationId: string }> {
  return inTransaction(database, async (tx) => {
    const at = clock();
    const invitation = await lockInvitation({ tokenHash: hashText(token) }, tx);
    if (!invitation) throw notFound('Invitation');
    requireOpen(stateOf(invitation, at));
    await joinInvitedPerson({ invitation, userId, at }, tx);
    const { id, organizationId, email, role } = invitation;
    tx.enqueue`update invitations set accepted_at = ${at} where id = ${id}`;
    tx.enqueue`${notificationStatement({ kind: 'INVITATION_ACCEPTED', recipients: inviterOf(id), at })}`;
    recordChange(tx, { organizationId, kind: 'SESSION', keyId: null, userId, requestId }, at, {
      action: 'accept-invitation',
      targetType: 'Invitation',
      targetId: id,
      changes: { email, role, userId },
    });
    return { organizationId };
  });
}

/** The person who sent the invitation; nobody if they are no longer an administrator. */
const inviterOf = (invitationId: string) => fragment`
  select i.organization_id, m.user_id, i.id as subject_id, null::text as assistant_id, null::text as conversation_id
  from invitations i join memberships m on m.organization_id = i.organization_id and m.user_id = i.invited_by_id and m.role = 'ADMIN'
  where i.id = ${invitationId}`;

type InvitedPerson = {
  id: string;
  email: string;
  createdAt: string;
  isMember: boolean;
  hasAccepted: boolean;
};
type InvitedPersonJoin = { invitation: Invitation; userId: string; at: Date };

async function joinInvitedPerson(
  { invitation, userId, at }: InvitedPersonJoin,
  tx: Transaction,
): Promise<void> {
  const { organizationId, email, role, teamId } = invitation;
  const [user] = await tx.sql<InvitedPerson>`
    select u.id, u.email, u.created_at as "createdAt", m.user_id is not null as "isMember", m.accepted_at is not null as "hasAccepted"
    from users u left join memberships m on m.organization_id = ${organizationId} and m.user_id = u.id
    where u.id = ${userId}`;
  if (!user) throw notFound('User');
  if (user.email !== email) throw invitationRefused('INVITATION_FOR_ANOTHER');
  if (user.hasAccepted) throw invitationRefused('ALREADY_MEMBER');
  // An administrator has added the person in the meantime: the invitation accepts that membership.
  if (user.isMember)
    tx.enqueue`
      update memberships set accepted_at = ${at} where organization_id = ${organizationId} and user_id = ${userId}`;
  else await joinOrganization({ organizationId, user, role, at }, tx);
  // The team can be the default team, which the person has already joined.
  if (teamId !== null)
    tx.enqueue`
      insert into team_memberships (team_id, user_id, organization_id, created_at)
      values (${teamId}, ${userId}, ${organizationId}, ${at}) on conflict do nothing`;
}
