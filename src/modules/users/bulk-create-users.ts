import { type ItemRefusal, requireEveryItem } from '../../platform/bulk.ts';
import type { RateLimits } from '../../platform/limits.ts';
import type { Writer } from '../audit/record-change.ts';
import { countExistingAccounts } from './count-probe.ts';
import { type CreatedUser, createUsers, type NewUser } from './create-users.ts';

type BulkCreateUsersInput = { users: readonly NewUser[]; isAtomic: boolean };
export type BulkCreatedUser = CreatedUser & { email: string };

/**
 * Creates users as single calls in this order would, including the count of addresses that have an
 * account. Returns an outcome for each, in their order.
 */
export async function bulkCreateUsers(
  { users, isAtomic }: BulkCreateUsersInput,
  writer: Writer,
  { limits }: { limits: RateLimits },
): Promise<BulkCreatedUser[]> {
  const { organizationId } = writer.actor;
  const emails = users.map(({ email }) => email);
  const refusals: ItemRefusal[] = await countExistingAccounts(
    { organizationId, emails },
    { database: writer.database, limits },
  );
  if (isAtomic) requireEveryItem(refusals, 'users');
  const created = await createUsers(
    { users: users.filter((_, index) => !refusals[index]), isAtomic },
    writer,
  );
  const outcomes = created.values();
  return emails.map((email, index) => {
    const refusal = refusals[index];
    if (refusal) return { email, refusal, user: null, isNewUser: null };
    const { value } = outcomes.next();
    if (!value) throw new Error('a user has no outcome');
    return { ...value, email };
  });
}
