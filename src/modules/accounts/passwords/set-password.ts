import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { newId } from '../../../platform/ids.ts';

type StoredPasswordHash = { userId: string; passwordHash: string; at: Date };

/** Sets the password of an account that has one already or has none. */
export function setPassword(
  { userId, passwordHash, at }: StoredPasswordHash,
  tx: Pick<Transaction, 'enqueue'>,
): void {
  tx.enqueue`
    with updated as (
      update accounts set password = ${passwordHash}, updated_at = now()
      where user_id = ${userId} and provider_id = 'credential' returning id)
    insert into accounts (id, user_id, account_id, provider_id, password, created_at)
    select ${newId(at.getTime())}, ${userId}, ${userId}, 'credential', ${passwordHash}, ${at}::timestamptz
    where not exists (select from updated)`;
}
