import type { Role } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';

type LockedMembership = { userId: string; role: Role };

/**
 * Locks the memberships of all administrators and of one person until the transaction ends, ordered
 * by user id. If two administrators leave or give up their role at the same time, one transaction
 * waits for the other, so that one administrator remains.
 */
export async function lockAdministrators(
  { organizationId, userId }: { organizationId: string; userId: string },
  { sql }: Pick<Transaction, 'sql'>,
): Promise<{ member: LockedMembership | undefined; isLastAdministrator: boolean }> {
  const locked = await sql<LockedMembership>`
    select user_id as "userId", role from memberships
    where organization_id = ${organizationId} and (role = 'ADMIN' or user_id = ${userId}) order by user_id for update`;
  const member = locked.find((membership) => membership.userId === userId);
  return { member, isLastAdministrator: member?.role === 'ADMIN' && locked.length === 1 };
}
