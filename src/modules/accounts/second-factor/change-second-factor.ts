import type { Context } from '../../../access/context.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { auditClientOf } from '../../audit/audit-client.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { securityNoticeEmail } from '../emails/emails.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';

/** The viewer and the session of the request. */
export type SecondFactorOwner = { userId: string; sessionId: string };
export type SecondFactorServices = Pick<
  Context,
  'database' | 'clock' | 'limits' | 'mail' | 'origin' | 'secretCipher' | 'clientInfo' | 'requestId'
>;

/**
 * Changes the second factors of an account after a recent sign-in, one change per account at a
 * time, and informs the owner by mail.
 */
export async function changeSecondFactor<T>(
  { userId, sessionId }: SecondFactorOwner,
  { database, clock, mail, origin, clientInfo, requestId }: SecondFactorServices,
  {
    action,
    message,
    run,
  }: {
    action: string;
    message: string;
    run: (tx: Prisma.TransactionClient, at: Date) => Promise<T>;
  },
): Promise<T> {
  await requireRecentSignIn(sessionId, { database, clock });
  const { result, email } = await inTransaction(database, async (tx) => {
    // Without the lock, two concurrent removals would each still see the other's factor.
    await tx.$queryRaw`select id from users where id = ${userId} for update`;
    const { email } = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: { email: true },
    });
    const at = clock();
    const result = await run(tx, at);
    await recordAuthenticationEvent(
      tx,
      { action, userId, client: auditClientOf(clientInfo), requestId },
      at,
    );
    return { result, email };
  });
  if (mail.kind !== 'none')
    await mail.send(
      securityNoticeEmail({
        to: email,
        origin,
        subject: 'Your second factor was changed',
        sentence: `${message}.`,
      }),
    );
  return result;
}

/**
 * Requires a second factor of the account from now on. The current session has passed one; all
 * other sessions have not, so they are deleted. Returns the recovery codes if this is the account's
 * first factor, otherwise an empty list.
 */
export async function enableSecondFactor(
  { userId, sessionId }: SecondFactorOwner,
  at: Date,
  tx: Prisma.TransactionClient,
): Promise<string[]> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, secondFactorEnabled: false },
    data: { secondFactorEnabled: true },
  });
  await tx.session.updateMany({ where: { id: sessionId }, data: { secondFactorAt: at } });
  if (count === 0) return [];
  await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } });
  return replaceRecoveryCodes(userId, tx);
}

/**
 * Runs after the removal of a factor. If no factor is left, the account no longer needs one and its
 * recovery codes are deleted.
 */
export async function disableIfNoneLeft(
  userId: string,
  tx: Prisma.TransactionClient,
): Promise<void> {
  const [apps, passkeys] = [
    await tx.authenticatorApp.count({ where: { userId, confirmedAt: { not: null } } }),
    await tx.passkey.count({ where: { userId } }),
  ];
  if (apps + passkeys === 0) await disableSecondFactor(userId, tx);
}

async function disableSecondFactor(userId: string, tx: Prisma.TransactionClient): Promise<void> {
  await tx.user.update({
    where: { id: userId },
    data: { secondFactorEnabled: false },
    select: { id: true },
  });
  await tx.session.updateMany({ where: { userId }, data: { secondFactorAt: null } });
  await tx.recoveryCode.deleteMany({ where: { userId } });
}
