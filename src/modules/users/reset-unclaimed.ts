import type { Transaction } from '../../platform/database/open-transaction.ts';

type ResetUnclaimedInput = { userId: string; at: Date };

/**
 * Revokes the credentials, sessions and user keys of an unclaimed account: one with an unverified
 * address. A claimed account stays as it is. Returns whether the account is unclaimed; the caller
 * then calls `credentialsChanged` after the commit, so that revoked keys are rejected at once.
 */
export async function resetUnclaimed(
  { userId, at }: ResetUnclaimedInput,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<boolean> {
  const [row] = await sql<{ isUnclaimed: boolean }>`
    select reset_unclaimed(${userId}, ${at}::timestamptz) as "isUnclaimed"`;
  return row?.isUnclaimed === true;
}
