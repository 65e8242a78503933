import type { Database } from '../../../platform/database/database.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { notFound } from '../../../platform/errors.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { deleteSecretsOf } from '../secret-link.ts';

/** Deletes every second factor of an account and its unfinished sign-ins. */
function deleteSecondFactors(userId: string, tx: Pick<Transaction, 'enqueue'>): void {
  tx.enqueue`update users set second_factor_enabled = false, updated_at = now() where id = ${userId}`;
  tx.enqueue`delete from authenticator_apps where user_id = ${userId}`;
  tx.enqueue`delete from passkeys where user_id = ${userId}`;
  tx.enqueue`delete from recovery_codes where user_id = ${userId}`;
  deleteSecretsOf({ userId }, 'second-factor', tx);
}

/**
 * Resets the account of a person who has lost every second factor, after an operator has verified
 * who they are. Their sessions end too.
 */
export function resetSecondFactor(
  { email }: { email: string },
  { database }: { database: Database },
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const [user] = await tx.sql<{ id: string }>`
      select id from users where email = ${parseEmailAddress(email) ?? ''}`;
    if (!user) throw notFound('User');
    deleteSecondFactors(user.id, tx);
    tx.enqueue`delete from sessions where user_id = ${user.id}`;
  });
}
