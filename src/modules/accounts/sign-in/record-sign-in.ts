import { inTransaction } from '../../../platform/database/transaction.ts';
import { notFound } from '../../../platform/errors.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import type { AccountServices } from '../account-services.ts';
import { originOfEvent } from '../client-header.ts';
import { newDeviceNotice, notifyOwner } from '../emails/notify-owner.ts';

type SignInEvent = { userId: string; headers: Headers | undefined; origin: string | undefined };

/**
 * Runs after every kind of sign-in: stores its time, writes it to the audit log, deletes the
 * person's expired sessions, and informs the owner by mail if the account does not know the device.
 */
export async function recordSignIn(
  { userId, headers, origin }: SignInEvent,
  services: AccountServices,
): Promise<void> {
  const { database, clock, devices } = services;
  const at = clock();
  const userBefore = await inTransaction(database, async (tx) => {
    const [user] = await tx.sql<{ email: string; lastLogin: string | null }>`
      select email, last_login as "lastLogin" from users where id = ${userId}`;
    if (!user) throw notFound('User');
    tx.enqueue`update users set last_login = ${at}, updated_at = now() where id = ${userId}`;
    tx.enqueue`delete from sessions where user_id = ${userId} and expires_at < ${at}`;
    await recordAuthenticationEvent(
      tx,
      { action: 'sign-in', userId, ...originOfEvent(headers) },
      at,
    );
    return user;
  });
  const isNewDevice =
    userBefore.lastLogin !== null &&
    headers !== undefined &&
    devices.deviceIdOf(userBefore.email, headers) === undefined;
  if (isNewDevice && origin !== undefined)
    notifyOwner(
      { userId, notice: newDeviceNotice(headers.get('user-agent')) },
      { ...services, origin },
    );
}
