import { z } from 'zod';
import { inTransaction } from '../../platform/database/transaction.ts';
import { passwordChangedLetter } from './letters.ts';
import type { AccountParts } from './parts.ts';
import { hashPassword } from './password.ts';
import { deadLink } from './refusals.ts';
import { endSecretsOf, readSecret, spendSecret } from './secret-link.ts';
import { setPassword } from './set-password.ts';

const about = z.object({ userId: z.string(), returnPath: z.string() });

type ResetPassword = { secret: string; password: string; origin: string };

/** A new password for whoever holds the secret of the mail, who has proven the address by it. It ends every session and every other such link. */
export async function resetPassword({ secret, password, origin }: ResetPassword, { database, clock, mail }: AccountParts): Promise<z.output<typeof about>> {
  // Hashing takes long, and is not for everybody who calls.
  const found = await readSecret('reset-password', secret, clock(), database.prisma);
  if (found === undefined) throw deadLink();
  const { userId, returnPath } = about.parse(JSON.parse(found));
  const passwordHash = await hashPassword(password);
  const email = await inTransaction(database, async (tx) => {
    if (!(await spendSecret('reset-password', secret, tx))) throw deadLink();
    await endSecretsOf(userId, 'reset-password', tx);
    await setPassword({ userId, passwordHash, at: clock() }, tx);
    await tx.session.deleteMany({ where: { userId } });
    const user = await tx.user.update({ where: { id: userId }, data: { emailVerified: true }, select: { email: true } });
    return user.email;
  });
  if (mail.kind !== 'none') await mail.send(passwordChangedLetter({ to: email, origin }));
  return { userId, returnPath };
}
