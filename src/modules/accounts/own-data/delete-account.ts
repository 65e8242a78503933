import type { Context } from '../../../access/context.ts';
import type { Language } from '../../../platform/database/generated/client.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, inputError, notFound } from '../../../platform/errors.ts';
import {
  revokeCreatedAccessOfAccount,
  revokedCountsOfAccount,
} from '../../api-keys/revoke-created-access.ts';
import { auditClientOf } from '../../audit/audit-client.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { eraseReceivedInvitations } from '../../invitations/received-invitations.ts';
import { eraseReceivedLinkInvitations } from '../../sponsorship/invitations/received-invitations.ts';
import { eraseUsage } from '../../usage/erase-usage.ts';
import '../../usage/usage-services.ts';
import { recordEndedOfAccount } from '../../conversations/end-conversations.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { accountDeletedEmail } from '../emails/emails.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';

type AccountDeletion = { userId: string; sessionId: string; email: string };
type DeleteAccountServices = Pick<
  Context,
  | 'database'
  | 'clock'
  | 'mail'
  | 'origin'
  | 'clientInfo'
  | 'requestId'
  | 'credentialsChanged'
  | 'usage'
>;

/**
 * Deletes the account of the viewer with their credentials, sessions and keys, after a recent
 * sign-in and with the address typed. The last administrator of an organization is rejected, even
 * if the organization has no other members, because afterwards nobody could administer it. The
 * audit log keeps the person's id without a name; redemptions keep the address, because the partner
 * is billed by it. Invitations of partners to a confirmed address are deleted. Keys and invitations
 * of organizations end as if the person had left.
 */
export async function deleteAccount(
  { userId, sessionId, email: typedEmail }: AccountDeletion,
  services: DeleteAccountServices,
): Promise<void> {
  const { database, clock, mail, origin, clientInfo, requestId, credentialsChanged, usage } =
    services;
  await requireRecentSignIn(sessionId, services);
  const recipient = await inTransaction(database, (tx) =>
    // The person's rows are in several organizations, so the tenant scope is removed. Every
    // condition names the person.
    tx.withoutTenantScope(async () => {
      const at = clock();
      const [user] = await tx.sql<{ email: string; emailVerified: boolean; language: Language }>`
        select email, email_verified as "emailVerified", coalesce(language, 'EN') as language from users where id = ${userId}`;
      if (!user) throw notFound('User');
      const { email, emailVerified, language } = user;
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
      const client = auditClientOf(clientInfo);
      await recordAuthenticationEvent(
        tx,
        {
          ...{ action: 'delete-account', userId, client, requestId },
          changesOf: revokedCountsOfAccount(userId),
        },
        at,
      );
      recordEndedOfAccount({ userId, client, requestId, at }, tx);
      tx.enqueue`update redemptions set user_email = ${email} where user_id = ${userId}`;
      revokeCreatedAccessOfAccount({ userId, at }, tx);
      tx.enqueue`
        delete from verifications where starts_with(value, ${`{"userId":"${userId}"`})
          or starts_with(value, ${`{"email":${JSON.stringify(email)}`})`;
      // The invitations to an address that somebody else may own stay.
      if (emailVerified) {
        eraseReceivedInvitations({ email }, tx);
        eraseReceivedLinkInvitations({ email }, tx);
      }
      eraseUsage({ userId }, tx);
      // The foreign keys also delete credentials, sessions, second factors, memberships, team
      // memberships, shares, user keys and conversations.
      tx.enqueue`delete from users where id = ${userId}`;
      return { to: email, language };
    }),
  );
  credentialsChanged();
  usage.keeper.changed();
  if (mail.kind !== 'none') await mail.send(accountDeletedEmail({ ...recipient, origin }));
}

/**
 * Locks the administrators of the person's organizations. Of two administrators who leave at the
 * same time the second is rejected.
 */
async function requireOtherAdministrators(userId: string, { sql }: Transaction): Promise<void> {
  await sql`
    select from memberships where role = 'ADMIN' and organization_id in (select organization_id from memberships where user_id = ${userId} and role = 'ADMIN')
    order by organization_id, user_id for update`;
  const onlyAdministered = await sql<{ name: string }>`
    select o.name from organizations o join memberships m on m.organization_id = o.id
    where m.user_id = ${userId} and m.role = 'ADMIN' and not exists (
      select from memberships other where other.organization_id = o.id and other.user_id <> m.user_id and other.role = 'ADMIN')
    order by o.name`;
  if (onlyAdministered.length === 0) return;
  const names = onlyAdministered.map(({ name }) => `“${name}”`).join(', ');
  throw new AppError(
    'CONFLICT',
    `You are the last administrator of ${names}. Make somebody else an administrator there first`,
    'LAST_ADMINISTRATOR',
  );
}
