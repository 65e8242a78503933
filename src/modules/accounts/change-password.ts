import type { Context } from '../../graph/context.ts';
import { withoutTenantScope } from '../../platform/database/scoped-prisma.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { clientOf } from '../audit/client.ts';
import { recordAuthenticationEvent } from '../audit/record-authentication-event.ts';
import { passwordChangedEmail } from './emails.ts';
import { requireStrongPassword } from './new-password.ts';
import { hashPassword } from './password.ts';
import { requirePassword } from './require-password.ts';
import { endSecretsOf } from './secret-link.ts';
import { setPassword } from './set-password.ts';

type ChangePassword = {
  userId: string;
  sessionId: string;
  currentPassword: string;
  newPassword: string;
  signOutElsewhere: boolean;
};
type Parts = Pick<
  Context,
  'database' | 'clock' | 'limits' | 'mail' | 'origin' | 'clientInfo' | 'requestId'
>;

/**
 * A new password for whoever knows the one before; how many other sessions ended with it. Links to
 * reset the old one end too.
 */
export async function changePassword(
  { userId, sessionId, currentPassword, newPassword, signOutElsewhere }: ChangePassword,
  parts: Parts,
): Promise<number> {
  const { database, clock, limits, mail, origin, clientInfo, requestId } = parts;
  const person = await requirePassword({ userId, password: currentPassword }, { database, limits });
  requireStrongPassword(newPassword, [person.email, person.firstName, person.lastName]);
  const passwordHash = await hashPassword(newPassword);
  const ended = await inTransaction(database, async (tx) => {
    const at = clock();
    await setPassword({ userId, passwordHash, at }, tx);
    await recordAuthenticationEvent(
      tx,
      { action: 'change-password', userId, client: clientOf(clientInfo), requestId },
      at,
    );
    // Links in mails are read by nobody who is signed in; here they end.
    await withoutTenantScope(tx, () => endSecretsOf({ userId }, 'reset-password', tx));
    return signOutElsewhere
      ? (await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })).count
      : 0;
  });
  if (mail.kind !== 'none') await mail.send(passwordChangedEmail({ to: person.email, origin }));
  return ended;
}
