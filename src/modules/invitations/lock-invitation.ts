import type { Prisma } from '../../platform/database/generated/client.ts';
import { type Invitation, invitationColumns } from './invitation.ts';

/** Finds an invitation and locks it until the transaction ends. */
export async function lockInvitation(
  where: { tokenHash: Uint8Array<ArrayBuffer> } | { id: string; organizationId: string },
  tx: Prisma.TransactionClient,
): Promise<Invitation | null> {
  const invitation = await tx.invitation.findFirst({ where, select: { id: true } });
  if (!invitation) return null;
  await tx.$queryRaw`select id from invitations where id = ${invitation.id} for update`;
  // Another transaction may have changed the invitation, including its token, before the lock.
  return tx.invitation.findFirst({
    where: { ...where, id: invitation.id },
    select: invitationColumns,
  });
}
