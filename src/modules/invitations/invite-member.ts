import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { requireTeam } from '../teams/require-team.ts';
import { type Invitation, invitationColumns, invitationEnd } from './invitation.ts';
import { newInvitationToken } from './invitation-token.ts';

type InviteMember = { email: string; role: Invitation['role']; teamId?: string | null | undefined };

/** Offers the owner of an address a place in the organization. An invitation of this address that has expired makes room. */
export async function inviteMember({ email, role, teamId = null }: InviteMember, writer: Writer): Promise<{ invitation: Invitation; token: string }> {
  const { organizationId, userId } = writer.actor;
  const { token, tokenHash } = newInvitationToken();
  try {
    const invitation = await change(writer, async (tx, record, at) => {
      await refuseMember({ organizationId, email }, tx);
      if (teamId !== null) await requireTeam({ organizationId, teamId }, tx);
      const open = { organizationId, email, acceptedAt: null, revokedAt: null };
      await tx.invitation.updateMany({ where: { ...open, expiresAt: { lte: at } }, data: { revokedAt: at } });
      const data = {
        id: newId(at.getTime()),
        organizationId,
        email,
        role,
        teamId,
        tokenHash,
        invitedById: userId,
        createdAt: at,
        expiresAt: invitationEnd(at),
      };
      const made = await tx.invitation.create({ data, select: invitationColumns });
      await record({ action: 'invite-member', targetType: 'Invitation', targetId: made.id, changes: { email, role, teamId } });
      return made;
    });
    return { invitation, token };
  } catch (error) {
    if (uniqueViolation(error)) throw new AppError('CONFLICT', 'This address is invited already; make a new link for that invitation, or revoke it');
    throw error;
  }
}

async function refuseMember({ organizationId, email }: { organizationId: string; email: string }, tx: Prisma.TransactionClient): Promise<void> {
  const member = await tx.membership.findFirst({ where: { organizationId, user: { email } }, select: { userId: true } });
  if (member) throw new AppError('CONFLICT', 'The user is already a member of the organization');
}
