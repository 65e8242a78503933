import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { withoutTenantScope } from '../../platform/database/scoped-prisma.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { requireTeam } from '../teams/require-team.ts';
import { resetUnclaimed } from '../users/reset-unclaimed.ts';
import { type Invitation, invitationColumns, invitationExpiry } from './invitation.ts';
import { newInvitationToken } from './invitation-token.ts';

type InviteMemberInput = {
  email: string;
  role: Invitation['role'];
  teamId?: string | null | undefined;
};

/**
 * Invites the owner of an address to the organization. An expired invitation of the same address is
 * revoked. An account with this address that is not verified loses its credentials, so that only
 * the owner of the mailbox can accept.
 */
export async function inviteMember(
  { email, role, teamId = null }: InviteMemberInput,
  writer: Writer,
): Promise<{ invitation: Invitation; token: string }> {
  const { organizationId, userId } = writer.actor;
  const { token, tokenHash } = newInvitationToken();
  try {
    const { wasReset, invitation } = await change(writer, async (tx, record, at) => {
      await refuseMember({ organizationId, email }, tx);
      if (teamId !== null) await requireTeam({ organizationId, teamId }, tx);
      const open = { organizationId, email, acceptedAt: null, revokedAt: null };
      await tx.invitation.updateMany({
        where: { ...open, expiresAt: { lte: at } },
        data: { revokedAt: at },
      });
      const data = {
        id: newId(at.getTime()),
        organizationId,
        email,
        role,
        teamId,
        tokenHash,
        invitedById: userId,
        createdAt: at,
        expiresAt: invitationExpiry(at),
      };
      const invitation = await tx.invitation.create({ data, select: invitationColumns });
      const isUnclaimed = await resetInvitedAccount({ email, at }, tx);
      await record({
        action: 'invite-member',
        targetType: 'Invitation',
        targetId: invitation.id,
        changes: { email, role, teamId },
      });
      return { invitation, wasReset: isUnclaimed };
    });
    if (wasReset) writer.credentialsChanged();
    return { invitation, token };
  } catch (error) {
    if (uniqueViolation(error))
      throw new AppError(
        'CONFLICT',
        'This address is invited already; make a new link for that invitation, or revoke it',
      );
    throw error;
  }
}

async function refuseMember(
  { organizationId, email }: { organizationId: string; email: string },
  tx: Prisma.TransactionClient,
): Promise<void> {
  const member = await tx.membership.findFirst({
    where: { organizationId, user: { email } },
    select: { userId: true },
  });
  if (member) throw new AppError('CONFLICT', 'The user is already a member of the organization');
}

async function resetInvitedAccount(
  { email, at }: { email: string; at: Date },
  tx: Prisma.TransactionClient,
): Promise<boolean> {
  // The invited person is not a member yet, so the tenant scope would hide the account.
  const user = await withoutTenantScope(tx, () =>
    tx.user.findUnique({ where: { email }, select: { id: true } }),
  );
  return user !== null && resetUnclaimed({ userId: user.id, at }, tx);
}
