import type { Context } from '../../../access/context.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { auditClientOf } from '../../audit/audit-client.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { passwordChangedEmail } from '../emails/emails.ts';
import { deleteSecretsOf } from '../secret-link.ts';
import { requireStrongPassword } from './new-password.ts';
import { hashPassword } from './password.ts';
import { requirePassword } from './require-password.ts';
import { setPassword } from './set-password.ts';

type PasswordChange = {
  userId: string;
  sessionId: string;
  currentPassword: string;
  newPassword: string;
  signOutElsewhere: boolean;
};
type ChangePasswordDependencies = Pick<
  Context,
  'database' | 'clock' | 'limits' | 'mail' | 'origin' | 'clientInfo' | 'requestId'
>;

/**
 * Changes the password of a person who knows the current one, and ends all reset links. Returns how
 * many other sessions ended.
 */
export async function changePassword(
  { userId, sessionId, currentPassword, newPassword, signOutElsewhere }: PasswordChange,
  dependencies: ChangePasswordDependencies,
): Promise<number> {
  const { database, clock, limits, mail, origin, clientInfo, requestId } = dependencies;
  const person = await requirePassword({ userId, password: currentPassword }, { database, limits });
  requireStrongPassword(newPassword, [person.email, person.firstName, person.lastName]);
  const passwordHash = await hashPassword(newPassword);
  const endedSessions = await inTransaction(database, async (tx) => {
    const at = clock();
    setPassword({ userId, passwordHash, at }, tx);
    await recordAuthenticationEvent(
      tx,
      { action: 'change-password', userId, client: auditClientOf(clientInfo), requestId },
      at,
    );
    // The session's role must not read the links in mails, so they are deleted without the scope.
    await tx.withoutTenantScope(async () => deleteSecretsOf({ userId }, 'reset-password', tx));
    if (!signOutElsewhere) return 0;
    const ended = await tx.sql`
      delete from sessions where user_id = ${userId} and id <> ${sessionId} returning id`;
    return ended.length;
  });
  const { email: to, language } = person;
  if (mail.kind !== 'none') await mail.send(passwordChangedEmail({ to, language, origin }));
  return endedSessions;
}
