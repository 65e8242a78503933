import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/errors.ts';
import { hashText } from '../../platform/hash.ts';
import { recordChange } from '../audit/record-change.ts';
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
    await tx.invitation.update({ where: { id }, data: { acceptedAt: at }, select: { id: true } });
    await recordChange(
      tx,
      { organizationId, kind: 'SESSION', keyId: null, userId, requestId },
      at,
      {
        action: 'accept-invitation',
        targetType: 'Invitation',
        targetId: id,
        changes: { email, role, userId },
      },
    );
    return { organizationId };
  });
}

type InvitedPersonJoin = { invitation: Invitation; userId: string; at: Date };

async function joinInvitedPerson(
  { invitation, userId, at }: InvitedPersonJoin,
  tx: Prisma.TransactionClient,
): Promise<void> {
  const { organizationId, email, role, teamId } = invitation;
  const user = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { id: true, email: true, createdAt: true },
  });
  if (user.email !== email) throw invitationRefused('INVITATION_FOR_ANOTHER');
  const membership = await tx.membership.findFirst({
    where: { organizationId, userId },
    select: { acceptedAt: true },
  });
  if (membership?.acceptedAt) throw invitationRefused('ALREADY_MEMBER');
  // An administrator has added the person in the meantime: the invitation accepts that membership.
  if (membership)
    await tx.membership.updateMany({ where: { organizationId, userId }, data: { acceptedAt: at } });
  else await joinOrganization({ organizationId, user, role, at }, tx);
  // The team can be the default team, which the person has already joined.
  if (teamId !== null)
    await tx.teamMembership.createMany({
      data: [{ organizationId, teamId, userId, createdAt: at }],
      skipDuplicates: true,
    });
}
