import type { Database } from '../../../platform/database/database.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { notFound } from '../../../platform/errors.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { deleteSecretsOf } from '../secret-link.ts';

/** Deletes every second factor of an account and its unfinished sign-ins. */
async function deleteSecondFactors(userId: string, tx: Prisma.TransactionClient): Promise<void> {
  await tx.user.update({
    where: { id: userId },
    data: { secondFactorEnabled: false },
    select: { id: true },
  });
  await tx.authenticatorApp.deleteMany({ where: { userId } });
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await deleteSecretsOf({ userId }, 'second-factor', tx);
}

/**
 * Resets the account of a person who has lost every second factor, after an operator has verified
 * who they are. Their sessions end too.
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
    await deleteSecondFactors(user.id, tx);
    await tx.session.deleteMany({ where: { userId: user.id } });
  });
}
