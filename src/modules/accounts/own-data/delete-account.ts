import type { Context } from '../../../access/context.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { withoutTenantScope } from '../../../platform/database/scoped-prisma.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, inputError } from '../../../platform/errors.ts';
import { auditClientOf } from '../../audit/audit-client.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { accountDeletedEmail } from '../emails/emails.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';

type AccountDeletion = { userId: string; sessionId: string; email: string };
type DeleteAccountServices = Pick<
  Context,
  'database' | 'clock' | 'mail' | 'origin' | 'clientInfo' | 'requestId' | 'credentialsChanged'
>;

/**
 * Deletes the account of the viewer with their credentials, sessions and keys, after a recent
 * sign-in and with the address typed. The last administrator of an organization is rejected, even
 * if the organization has no other members, because afterwards nobody could administer it. The
 * audit log keeps the person's id without a name; redemptions keep the address, because the partner
 * is billed by it.
 */
export async function deleteAccount(
  { userId, sessionId, email: typedEmail }: AccountDeletion,
  services: DeleteAccountServices,
): Promise<void> {
  const { database, clock, mail, origin, clientInfo, requestId, credentialsChanged } = services;
  await requireRecentSignIn(sessionId, services);
  const email = await inTransaction(database, (tx) =>
    // The person's rows are in several organizations, so the tenant scope is removed. Every
    // condition names the person.
    withoutTenantScope(tx, async () => {
      const at = clock();
      const { email } = await tx.user.findUniqueOrThrow({
        where: { id: userId },
        select: { email: true },
      });
      if (parseEmailAddress(typedEmail) !== email)
        throw inputError(
          'email',
          'INVALID',
          'This is not the address of your account',
          'EMAIL_DIFFERS',
        );
      await requireOtherAdministrators(userId, tx);
      // The event is recorded before the memberships are deleted, because they determine whose
      // audit logs it goes to.
      await recordAuthenticationEvent(
        tx,
        { action: 'delete-account', userId, client: auditClientOf(clientInfo), requestId },
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
      // The foreign keys also delete credentials, sessions, second factors, memberships, team
      // memberships, shares and user keys.
      await tx.user.delete({ where: { id: userId }, select: { id: true } });
      return email;
    }),
  );
  credentialsChanged();
  if (mail.kind !== 'none') await mail.send(accountDeletedEmail({ to: email, origin }));
}

/**
 * Locks the administrators of the person's organizations. Of two administrators who leave at the
 * same time the second is rejected.
 */
async function requireOtherAdministrators(
  userId: string,
  tx: Prisma.TransactionClient,
): Promise<void> {
  await tx.$queryRaw`
    select from memberships where role = 'ADMIN' and organization_id in (select organization_id from memberships where user_id = ${userId} and role = 'ADMIN')
    order by organization_id, user_id for update`;
  const onlyAdministered = await tx.organization.findMany({
    where: {
      memberships: {
        some: { userId, role: 'ADMIN' },
        none: { userId: { not: userId }, role: 'ADMIN' },
      },
    },
    select: { name: true },
    orderBy: { name: 'asc' },
  });
  if (onlyAdministered.length === 0) return;
  const names = onlyAdministered.map(({ name }) => `“${name}”`).join(', ');
  throw new AppError(
    'CONFLICT',
    `You are the last administrator of ${names}. Make somebody else an administrator there first`,
    'LAST_ADMINISTRATOR',
  );
}
