import type { Context } from '../../../graph/context.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { withoutTenantScope } from '../../../platform/database/scoped-prisma.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, inputError } from '../../../platform/errors.ts';
import { clientOf } from '../../audit/client.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { accountDeletedEmail } from '../emails.ts';
import { requireRecentSignIn } from '../recent-sign-in.ts';

type DeleteAccount = { userId: string; sessionId: string; email: string };
type Services = Pick<
  Context,
  'database' | 'clock' | 'mail' | 'origin' | 'clientInfo' | 'requestId' | 'credentialsChanged'
>;

/**
 * Deletes the account of the person who asks, with everything that opens it, after a recent sign-in
 * and with the address typed. The last administrator of an organization is refused, also of one
 * without other members: nobody could reach it any more. The audit log keeps the id of who acted,
 * without a name; redemptions keep the address, which the partner is billed by.
 */
export async function deleteAccount(
  { userId, sessionId, email: typed }: DeleteAccount,
  services: Services,
): Promise<void> {
  const { database, clock, mail, origin, clientInfo, requestId, credentialsChanged } = services;
  await requireRecentSignIn(sessionId, services);
  const email = await inTransaction(database, (tx) =>
    // The person's rows are in several organizations, whichever one the request is made in. Every
    // condition names the person.
    withoutTenantScope(tx, async () => {
      const at = clock();
      const { email } = await tx.user.findUniqueOrThrow({
        where: { id: userId },
        select: { email: true },
      });
      if (parseEmailAddress(typed) !== email)
        throw inputError(
          'email',
          'INVALID',
          'This is not the address of your account',
          'EMAIL_DIFFERS',
        );
      await requireOtherAdministrators(userId, tx);
      // Before the memberships go: they say whose audit logs it is for.
      await recordAuthenticationEvent(
        tx,
        { action: 'delete-account', userId, client: clientOf(clientInfo), requestId },
        at,
      );
      await tx.redemption.updateMany({ where: { userId }, data: { userEmail: email } });
      await tx.apiKey.updateMany({
        where: { createdById: userId, revokedAt: null },
        data: { revokedAt: at },
      });
      await tx.verification.deleteMany({
        where: {
          OR: [
            { value: { startsWith: `{"userId":"${userId}"` } },
            { value: { startsWith: `{"email":${JSON.stringify(email)}` } },
          ],
        },
      });
      // The foreign keys take ways to sign in, sessions, second factors, memberships, teams, shares
      // and user keys along.
      await tx.user.delete({ where: { id: userId }, select: { id: true } });
      return email;
    }),
  );
  credentialsChanged();
  if (mail.kind !== 'none') await mail.send(accountDeletedEmail({ to: email, origin }));
}

/**
 * Locks the administrators of the person's organizations, so that of two who leave at the same
 * moment the second is refused.
 */
async function requireOtherAdministrators(
  userId: string,
  tx: Prisma.TransactionClient,
): Promise<void> {
  await tx.$queryRaw`
    select from memberships where role = 'ADMIN' and organization_id in (select organization_id from memberships where user_id = ${userId} and role = 'ADMIN')
    order by organization_id, user_id for update`;
  const alone = await tx.organization.findMany({
    where: {
      memberships: {
        some: { userId, role: 'ADMIN' },
        none: { userId: { not: userId }, role: 'ADMIN' },
      },
    },
    select: { name: true },
    orderBy: { name: 'asc' },
  });
  if (alone.length === 0) return;
  const names = alone.map(({ name }) => `“${name}”`).join(', ');
  throw new AppError(
    'CONFLICT',
    `You are the last administrator of ${names}. Make somebody else an administrator there first`,
    'LAST_ADMINISTRATOR',
  );
}
