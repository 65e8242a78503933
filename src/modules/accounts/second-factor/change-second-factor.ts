import type { Context } from '../../../access/context.ts';
import type { Language } from '../../../platform/database/generated/client.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { notFound } from '../../../platform/errors.ts';
import { auditClientOf } from '../../audit/audit-client.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { securityNoticeEmail } from '../emails/emails.ts';
import { type SecondFactorChange, secondFactorNotice } from '../emails/notify-owner.ts';
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
    change,
    run,
  }: {
    action: string;
    change: SecondFactorChange;
    run: (tx: Transaction, at: Date) => Promise<T>;
  },
): Promise<T> {
  await requireRecentSignIn(sessionId, { database, clock });
  const { result, ...recipient } = await inTransaction(database, async (tx) => {
    // Without the lock, two concurrent removals would each still see the other's factor.
    const [user] = await tx.sql<{ to: string; language: Language }>`
      select email as "to", coalesce(language, 'EN') as language from users where id = ${userId} for update`;
    if (!user) throw notFound('User');
    const at = clock();
    const result = await run(tx, at);
    await recordAuthenticationEvent(
      tx,
      { action, userId, client: auditClientOf(clientInfo), requestId },
      at,
    );
    return { result, ...user };
  });
  if (mail.kind !== 'none')
    await mail.send(
      securityNoticeEmail({
        ...recipient,
        origin,
        ...secondFactorNotice(change)(recipient.language),
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
  tx: Transaction,
): Promise<string[]> {
  const enabled = await tx.sql`
    update users set second_factor_enabled = true, updated_at = now()
    where id = ${userId} and not second_factor_enabled returning id`;
  tx.enqueue`update sessions set second_factor_at = ${at}, updated_at = now() where id = ${sessionId}`;
  if (enabled.length === 0) return [];
  tx.enqueue`delete from sessions where user_id = ${userId} and id <> ${sessionId}`;
  return replaceRecoveryCodes(userId, tx);
}

/**
 * Runs after the removal of a factor. If no factor is left, the account no longer needs one and its
 * recovery codes are deleted.
 */
export async function disableIfNoneLeft(userId: string, tx: Transaction): Promise<void> {
  const factors = await tx.sql`
    select id from authenticator_apps where user_id = ${userId} and confirmed_at is not null
    union all select id from passkeys where user_id = ${userId} limit 1`;
  if (factors.length > 0) return;
  tx.enqueue`update users set second_factor_enabled = false, updated_at = now() where id = ${userId}`;
  tx.enqueue`update sessions set second_factor_at = null, updated_at = now() where user_id = ${userId}`;
  tx.enqueue`delete from recovery_codes where user_id = ${userId}`;
}
