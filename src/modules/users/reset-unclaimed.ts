import type { Prisma } from '../../platform/database/generated/client.ts';

type ResetUnclaimed = { userId: string; at: Date };

/**
 * Ends the credentials, sessions and user keys of an account whose address nobody has proven; a
 * claimed account stays as it is. Returns whether the account is unclaimed: then the caller reports
 * changed credentials after the commit, so that keys end at once.
 */
export async function resetUnclaimed(
  { userId, at }: ResetUnclaimed,
  tx: Prisma.TransactionClient,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<
    { unclaimed: boolean }[]
  >`select reset_unclaimed(${userId}, ${at}::timestamptz) as unclaimed`;
  return row?.unclaimed === true;
}
