import type { Transaction } from '../../../platform/database/open-transaction.ts';
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
  tx: Transaction,
): Promise<boolean> {
  if (!(await resetUnclaimed({ userId, at }, tx))) return false;
  const [claimed] = await tx.sql<{ email: string }>`
    update users set email_verified = true, updated_at = now() where id = ${userId} returning email`;
  deleteSecretsOf({ userId }, 'verify-address', tx);
  deleteSecretsOf({ userId }, 'reset-password', tx);
  deleteSecretsOf({ userId }, 'second-factor', tx);
  if (claimed) deleteSecretsOf({ email: claimed.email }, 'sign-up', tx);
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
  tx: Transaction,
): Promise<{ id: string; createdAt: Date | string } | undefined> {
  deleteSecretsOf({ email }, 'sign-up', tx);
  const [existing] = await tx.sql<{ id: string; createdAt: string; hasCredential: boolean }>`
    select id, created_at as "createdAt", exists (select from accounts where user_id = users.id) as "hasCredential"
    from users where email = ${email}`;
  if (!existing)
    return createAccount(
      { email, firstName: '', lastName: '', ...names, passwordHash, at, emailVerified: true },
      tx,
    );
  const { id, createdAt, hasCredential } = existing;
  const wasUnclaimed = await claimAccount({ userId: id, at }, tx);
  if (!wasUnclaimed && hasCredential) return undefined;
  if (names)
    tx.enqueue`
      update users set first_name = ${names.firstName}, last_name = ${names.lastName}, updated_at = now() where id = ${id}`;
  setPassword({ userId: id, passwordHash, at }, tx);
  return { id, createdAt };
}
