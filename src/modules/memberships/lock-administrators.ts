import type { Prisma, Role } from '../../platform/database/generated/client.ts';

type LockedMembership = { userId: string; role: Role };

/**
 * Locks the memberships of all administrators and of one person until the transaction ends, in one
 * order: two who step back or leave at the same moment wait for each other, so that an
 * administrator remains.
 */
export async function lockAdministrators(
  { organizationId, userId }: { organizationId: string; userId: string },
  tx: Prisma.TransactionClient,
): Promise<{ member: LockedMembership | undefined; isLastAdministrator: boolean }> {
  const locked = await tx.$queryRaw<LockedMembership[]>`
    select user_id as "userId", role::text from memberships
    where organization_id = ${organizationId} and (role = 'ADMIN' or user_id = ${userId}) order by user_id for update`;
  const member = locked.find((one) => one.userId === userId);
  return { member, isLastAdministrator: member?.role === 'ADMIN' && locked.length === 1 };
}
