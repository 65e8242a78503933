import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError } from '../../platform/errors.ts';

/**
 * Throws if the transaction leaves the assistant without an owner. The caller holds the lock of the
 * assistant.
 */
export async function requireRemainingOwner(
  { assistantId }: { assistantId: string },
  { sql }: Pick<Transaction, 'sql'>,
): Promise<void> {
  const owners = await sql`
    select id from assistant_shares where assistant_id = ${assistantId} and level = 'OWNER' limit 1`;
  if (owners.length === 0)
    throw new AppError('CONFLICT', 'An assistant keeps at least one owner', 'LAST_OWNER');
}
