import type { Prisma } from '../../../platform/database/generated/client.ts';
import { resetUnclaimed } from '../../users/reset-unclaimed.ts';
import { setPassword } from '../passwords/set-password.ts';
import { deleteSecretsOf } from '../secret-link.ts';
import { createAccount } from './create-account.ts';

/**
 * Gives an unclaimed account to the person who has just verified its address. Deletes everything
 * that anybody else has left in it: credentials, second factors, sessions, user keys and the links
 * in mails. A claimed account does not change. Returns whether the account was unclaimed.
 */
export async function claimAccount(
  { userId, at }: { userId: string; at: Date },
  tx: Prisma.TransactionClient,
): Promise<boolean> {
  if (!(await resetUnclaimed({ userId, at }, tx))) return false;
  const { email } = await tx.user.update({
    where: { id: userId },
    data: { emailVerified: true },
    select: { email: true },
  });
  await deleteSecretsOf({ userId }, 'verify-address', tx);
  await deleteSecretsOf({ userId }, 'reset-password', tx);
  await deleteSecretsOf({ userId }, 'second-factor', tx);
  await deleteSecretsOf({ email }, 'sign-up', tx);
  return true;
}

type AddressClaim = {
  email: string;
  passwordHash: string;
  names: { firstName: string; lastName: string } | undefined;
  at: Date;
};

/**
 * Returns the account of a verified address, with the password that its owner has chosen: a new
 * account, or the existing one after `claimAccount`. Returns undefined if the account is claimed
 * and has a way to sign in, because nothing may replace that.
 */
export async function claimAddress(
  { email, passwordHash, names, at }: AddressClaim,
  tx: Prisma.TransactionClient,
) {
  await deleteSecretsOf({ email }, 'sign-up', tx);
  const existing = await tx.user.findUnique({
    where: { email },
    select: { id: true, createdAt: true },
  });
  if (!existing)
    return createAccount(
      { email, firstName: '', lastName: '', ...names, passwordHash, at, emailVerified: true },
      tx,
    );
  const wasUnclaimed = await claimAccount({ userId: existing.id, at }, tx);
  if (
    !wasUnclaimed &&
    (await tx.account.findFirst({ where: { userId: existing.id }, select: { id: true } }))
  )
    return undefined;
  if (names)
    await tx.user.update({ where: { id: existing.id }, data: names, select: { id: true } });
  await setPassword({ userId: existing.id, passwordHash, at }, tx);
  return existing;
}
