import type { Transaction } from '../../../platform/database/open-transaction.ts';
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
export function createAccount(
  { email, firstName, lastName, emailVerified = false, passwordHash, at }: NewAccount,
  tx: Pick<Transaction, 'enqueue'>,
): { id: string; createdAt: Date } {
  const id = newId(at.getTime());
  tx.enqueue`
    insert into users (id, email, first_name, last_name, email_verified, created_at)
    values (${id}, ${email}, ${firstName}, ${lastName}, ${emailVerified}, ${at})`;
  tx.enqueue`
    insert into accounts (id, user_id, account_id, provider_id, password, created_at)
    values (${newId(at.getTime())}, ${id}, ${id}, 'credential', ${passwordHash}, ${at})`;
  return { id, createdAt: at };
}
