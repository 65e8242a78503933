import { setTimeout as wait } from 'node:timers/promises';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { runInBackground } from '../../../platform/run-in-background.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import type { AccountServices } from '../account-services.ts';
import { originOfEvent } from '../client-header.ts';

const entriesPerHourMax = 20;
// After half a second the statements of the entry delay neither this response nor the sender's next
// one.
const delayMs = 500;

/**
 * Records a wrong password for an existing account in the audit log, half a second after the
 * response. So the response time does not reveal whether the account exists. At most 20 entries per
 * account and hour are written, so that nobody can flood the log.
 */
export function recordFailedSignIn(
  userId: string,
  headers: Headers | undefined,
  { database, clock, limits, log }: AccountServices,
): void {
  runInBackground(log, async () => {
    await wait(delayMs, undefined, { ref: false });
    if ((await limits.consume(`fail-sign-in-entries:${userId}`, entriesPerHourMax, 3_600)).exceeded)
      return;
    const event = {
      action: 'fail-sign-in',
      userId,
      actor: 'NOBODY' as const,
      ...originOfEvent(headers),
    };
    await inTransaction(database, (tx) => recordAuthenticationEvent(tx, event, clock()));
  });
}
