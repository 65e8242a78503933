import type { Prisma } from '../../../platform/database/generated/client.ts';
import { newId } from '../../../platform/ids.ts';

type NewAccount = {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  at: Date;
  /**
   * Whether the address is verified, or the operator vouches for it. Otherwise the account is
   * unclaimed.
   */
  emailVerified?: boolean;
};

/**
 * Creates a person who can sign in with a password. The hash is better-auth's and takes 0.1 s, so
 * callers compute it before the transaction.
 */
export async function createAccount(
  { passwordHash, at, ...person }: NewAccount,
  tx: Prisma.TransactionClient,
): Promise<{ id: string; createdAt: Date }> {
  const id = newId(at.getTime());
  const user = await tx.user.create({
    data: { ...person, id, createdAt: at },
    select: { id: true, createdAt: true },
  });
  await tx.account.create({
    data: {
      id: newId(at.getTime()),
      userId: id,
      accountId: id,
      providerId: 'credential',
      password: passwordHash,
      createdAt: at,
    },
    select: { id: true },
  });
  return user;
}
