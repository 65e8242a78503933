import { inTransaction } from '../../platform/database/transaction.ts';
import { recordAuthenticationEvent } from '../audit/record-authentication-event.ts';
import type { AccountServices } from './account-services.ts';
import { originOfEvent } from './client-header.ts';
import { deviceOf } from './device.ts';
import { newDeviceNotice, notifyOwner } from './notify-owner.ts';

type SignIn = { userId: string; headers: Headers | undefined; origin: string | undefined };

/**
 * What follows every sign-in, whatever way it was: its time, its line in the audit log, a mail
 * where the account does not know the device, and nothing kept of sessions that have ended.
 */
export async function noteSignIn(
  { userId, headers, origin }: SignIn,
  parts: AccountServices,
): Promise<void> {
  const { database, clock, devices } = parts;
  const at = clock();
  const before = await inTransaction(database, async (tx) => {
    const user = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: { email: true, lastLogin: true },
    });
    await tx.user.updateMany({ where: { id: userId }, data: { lastLogin: at } });
    await tx.session.deleteMany({ where: { userId, expiresAt: { lt: at } } });
    await recordAuthenticationEvent(
      tx,
      { action: 'sign-in', userId, ...originOfEvent(headers) },
      at,
    );
    return user;
  });
  const isNewDevice =
    before.lastLogin !== null &&
    headers !== undefined &&
    devices.deviceOf(before.email, headers) === undefined;
  if (isNewDevice && origin !== undefined)
    notifyOwner(
      { userId, notice: newDeviceNotice(deviceOf(headers.get('user-agent'))) },
      { ...parts, origin },
    );
}
