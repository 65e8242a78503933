import type { Context } from '../../graph/context.ts';
import { beyondOrganization } from '../../platform/database/scoped-prisma.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { AppError } from '../../platform/errors.ts';
import { passwordChangedLetter } from './letters.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { endSecretsOf } from './secret-link.ts';
import { setPassword } from './set-password.ts';
import { takeSignInTry } from './sign-in-tries.ts';

type ChangePassword = { userId: string; sessionId: string; currentPassword: string; newPassword: string; signOutElsewhere: boolean };
type Parts = Pick<Context, 'database' | 'clock' | 'limits' | 'mail' | 'origin'>;

/** A new password for whoever knows the one before; how many other sessions ended with it. Links to reset the old one end too. */
export async function changePassword({ userId, sessionId, currentPassword, newPassword, signOutElsewhere }: ChangePassword, parts: Parts): Promise<number> {
  const { database, clock, limits, mail, origin } = parts;
  const select = { email: true, accounts: { where: { providerId: 'credential' }, select: { password: true } } };
  const { email, accounts } = await database.prisma.user.findUniqueOrThrow({ where: { id: userId }, select });
  const hash = accounts[0]?.password;
  if (!hash) throw new AppError('CONFLICT', 'This account has no password yet: choose one by “Forgot your password?”', 'NO_PASSWORD');
  await takeSignInTry(email, limits);
  if (!(await verifyPassword({ hash, password: currentPassword }))) throw new AppError('FORBIDDEN', 'The current password is wrong', 'PASSWORD_WRONG');
  const passwordHash = await hashPassword(newPassword);
  const ended = await inTransaction(database, async (tx) => {
    await setPassword({ userId, passwordHash, at: clock() }, tx);
    // Links in mails are read by nobody who is signed in; here they end.
    await beyondOrganization(tx, () => endSecretsOf(userId, 'reset-password', tx));
    return signOutElsewhere ? (await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })).count : 0;
  });
  if (mail.kind !== 'none') await mail.send(passwordChangedLetter({ to: email, origin }));
  return ended;
}
