import type { Prisma } from '../../platform/database/generated/client.ts';
import { resetUnclaimed } from '../users/reset-unclaimed.ts';
import { createAccount } from './create-account.ts';
import { endSecretsOf } from './secret-link.ts';
import { setPassword } from './set-password.ts';

/**
 * Makes an unclaimed account the property of whoever has just proven its address. Everything that
 * an earlier holder left ends: credentials, second factors, sessions, user keys and the links in
 * mails. A claimed account stays as it is. Returns whether the account was unclaimed.
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
  await endSecretsOf({ userId }, 'verify-address', tx);
  await endSecretsOf({ userId }, 'reset-password', tx);
  await endSecretsOf({ userId }, 'second-factor', tx);
  await endSecretsOf({ email }, 'sign-up', tx);
  return true;
}

type ClaimAddress = {
  email: string;
  passwordHash: string;
  names: { firstName: string; lastName: string } | undefined;
  at: Date;
};

/**
 * The account of a proven address with a password that its owner has chosen: a new account, or the
 * one that is there without anything that an earlier holder left. Undefined where the account is
 * claimed and has a way to sign in, which nothing may replace.
 */
export async function claimAddress(
  { email, passwordHash, names, at }: ClaimAddress,
  tx: Prisma.TransactionClient,
) {
  await endSecretsOf({ email }, 'sign-up', tx);
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
