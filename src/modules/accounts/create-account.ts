import type { Prisma } from '../../platform/database/generated/client.ts';
import { newId } from '../../platform/ids.ts';

type CreateAccount = {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  at: Date;
  /**
   * Whether the mailbox is proven, or the operator vouches for the address. Otherwise the account
   * is unclaimed.
   */
  emailVerified?: boolean;
};

/**
 * A person who can sign in with a password. The hash is better-auth's own and takes long: make it
 * before the transaction.
 */
export async function createAccount(
  { passwordHash, at, ...person }: CreateAccount,
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
