import type { Prisma } from '../../platform/database/generated/client.ts';
import { type Invitation, invitationColumns } from './invitation.ts';

/** The invitation that this names, held until the transaction ends. */
export async function lockInvitation(
  where: { tokenHash: Uint8Array<ArrayBuffer> } | { id: string; organizationId: string },
  tx: Prisma.TransactionClient,
): Promise<Invitation | null> {
  const found = await tx.invitation.findFirst({ where, select: { id: true } });
  if (!found) return null;
  await tx.$queryRaw`select id from invitations where id = ${found.id} for update`;
  // Read once more: whoever held it before may have changed it, the token too.
  return tx.invitation.findFirst({ where: { ...where, id: found.id }, select: invitationColumns });
}
