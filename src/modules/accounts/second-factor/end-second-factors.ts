import type { Database } from '../../../platform/database/database.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { notFound } from '../../../platform/errors.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { endSecretsOf } from '../secret-link.ts';

/** Removes every second factor of an account, and unfinished sign-ins with it.. */
async function endSecondFactors(userId: string, tx: Prisma.TransactionClient): Promise<void> {
  await tx.user.update({
    where: { id: userId },
    data: { secondFactorEnabled: false },
    select: { id: true },
  });
  await tx.authenticatorApp.deleteMany({ where: { userId } });
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await endSecretsOf({ userId }, 'second-factor', tx);
}

/**
 * For somebody who has lost every second factor, once an operator has made sure who they are. Their
 * sessions end too.
 */
export function resetSecondFactor(
  { email }: { email: string },
  { database }: { database: Database },
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const user = await tx.user.findUnique({
      where: { email: parseEmailAddress(email) ?? '' },
      select: { id: true },
    });
    if (!user) throw notFound('User');
    await endSecondFactors(user.id, tx);
    await tx.session.deleteMany({ where: { userId: user.id } });
  });
}
