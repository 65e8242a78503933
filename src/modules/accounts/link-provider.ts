import { inTransaction } from '../../platform/database/transaction.ts';
import type { AccountServices } from './account-services.ts';
import { claimAccount } from './claim-account.ts';
import { notifyOwner, providerLinkedNotice } from './notify-owner.ts';

type Linked = { userId: string };
type WithoutTokens<Account> = Account & { accessToken: null; refreshToken: null; idToken: null };

/**
 * Before another site becomes a way to sign in. better-auth links only where that site has checked
 * the address, which proves the mailbox: so an unclaimed account is claimed now, and nothing that a
 * stranger left in it stays beside the new way in.
 */
export async function linkProvider<Account extends Linked>(
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
  // We ask the other sites nothing more, so their keys are not for keeping.
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
}

/** Tells the owner of an account that was used before about a new way to sign in to it. */
export async function notifyOfProvider(
  { userId }: Linked,
  request: Request | undefined,
  parts: AccountServices,
): Promise<void> {
  const { database, originOf } = parts;
  const user = await database.prisma.user.findUnique({
    where: { id: userId },
    select: { lastLogin: true },
  });
  if (user?.lastLogin && request)
    notifyOwner({ userId, notice: providerLinkedNotice }, { ...parts, origin: originOf(request) });
}
