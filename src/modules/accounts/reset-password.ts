import { z } from 'zod';
import { inTransaction } from '../../platform/database/transaction.ts';
import { recordAuthenticationEvent } from '../audit/record-authentication-event.ts';
import type { AccountServices } from './account-services.ts';
import { claimAccount } from './claim-account.ts';
import { originOfEvent } from './client-header.ts';
import { passwordChangedEmail } from './emails.ts';
import { passwordRule } from './new-password.ts';
import { hashPassword } from './password.ts';
import { isEasyToGuess } from './password-strength.ts';
import { deadLink, wrongFields } from './refusals.ts';
import { endSecretsOf, readSecret, spendSecret } from './secret-link.ts';
import { setPassword } from './set-password.ts';

const about = z.object({ userId: z.string(), returnPath: z.string() });

type ResetPassword = {
  secret: string;
  password: string;
  /**
   * Whether the person's API keys end as well, in every organization: whoever knew the old password
   * may have made one.
   */
  revokeKeys: boolean;
  origin: string;
  headers: Headers;
};

/**
 * A new password for whoever holds the secret of the mail, who has proven the address by it. It
 * ends every session and every other such link, and with an unclaimed account whatever its earlier
 * holder left.
 */
export async function resetPassword(
  { secret, password, revokeKeys, origin, headers }: ResetPassword,
  parts: AccountServices,
): Promise<z.output<typeof about>> {
  const { database, clock, mail, credentialsChanged } = parts;
  // Hashing takes long, and is not for everybody who calls.
  const found = await readSecret('reset-password', secret, clock(), database.prisma);
  if (found === undefined) throw deadLink();
  const { userId, returnPath } = about.parse(JSON.parse(found));
  const person = await database.prisma.user.findUnique({
    where: { id: userId },
    select: { email: true, firstName: true, lastName: true },
  });
  if (!person) throw deadLink();
  if (isEasyToGuess(password, Object.values(person))) throw wrongFields({ password: passwordRule });
  const passwordHash = await hashPassword(password);
  const email = await inTransaction(database, async (tx) => {
    if (!(await spendSecret('reset-password', secret, tx))) throw deadLink();
    await endSecretsOf({ userId }, 'reset-password', tx);
    const at = clock();
    await claimAccount({ userId, at }, tx);
    await setPassword({ userId, passwordHash, at }, tx);
    await recordAuthenticationEvent(
      tx,
      { action: 'reset-password', userId, changes: { revokeKeys }, ...originOfEvent(headers) },
      at,
    );
    await tx.session.deleteMany({ where: { userId } });
    if (revokeKeys)
      await tx.apiKey.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: at } });
    const user = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: { email: true },
    });
    return user.email;
  });
  credentialsChanged();
  if (mail.kind !== 'none') await mail.send(passwordChangedEmail({ to: email, origin }));
  return { userId, returnPath };
}
