import { inTransaction } from '../../../platform/database/transaction.ts';
import type { AccountServices } from '../account-services.ts';
import { notifyOwner, providerLinkedNotice } from '../emails/notify-owner.ts';
import { claimAccount } from '../sign-up/claim-account.ts';

type LinkedAccount = { userId: string };
type WithoutTokens<Account> = Account & { accessToken: null; refreshToken: null; idToken: null };

/**
 * Runs before a sign-in provider is linked to an account. better-auth links only if the provider
 * has verified the address. That proves that the person owns the mailbox, so an unclaimed account
 * is claimed now, and credentials that a stranger left in it are deleted.
 */
export async function linkProvider<Account extends LinkedAccount>(
  account: Account,
  {
    database,
    clock,
    credentialsChanged,
  }: Pick<AccountServices, 'database' | 'clock' | 'credentialsChanged'>,
): Promise<{ data: WithoutTokens<Account> }> {
  const wasUnclaimed = await inTransaction(database, (tx) =>
    claimAccount({ userId: account.userId, at: clock() }, tx),
  );
  if (wasUnclaimed) credentialsChanged();
  // Atrium sends no further requests to the providers, so their tokens are not stored.
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
}

/**
 * Informs the owner by mail about the new way to sign in, unless nobody has signed in to the
 * account yet.
 */
export async function notifyOfProvider(
  { userId }: LinkedAccount,
  request: Request | undefined,
  services: AccountServices,
): Promise<void> {
  const { database, originOf } = services;
  const [user] = await database.sql<{ hasSignedIn: boolean }>`
    select last_login is not null as "hasSignedIn" from users where id = ${userId}`;
  if (user?.hasSignedIn && request)
    notifyOwner(
      { userId, notice: providerLinkedNotice },
      { ...services, origin: originOf(request) },
    );
}
