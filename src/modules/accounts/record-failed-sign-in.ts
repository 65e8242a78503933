import { setTimeout as wait } from 'node:timers/promises';
import { inTransaction } from '../../platform/database/transaction.ts';
import { recordAuthenticationEvent } from '../audit/record-authentication-event.ts';
import type { AccountServices } from './account-services.ts';
import { originOfEvent } from './client-header.ts';
import { runInBackground } from './run-in-background.ts';

const entriesAnHour = 20;
// Long enough that the statements of the entry do not delay this answer or the sender's next one.
const delayMs = 500;

/**
 * Writes a wrong password for an existing account to the audit log, half a second after the answer:
 * no time that a sender can measure shows whether there is such an account. Nobody can fill the
 * log: further tries of the same hour are not written.
 */
export function recordFailedSignIn(
  userId: string,
  headers: Headers | undefined,
  { database, clock, limits, log }: AccountServices,
): void {
  runInBackground(log, async () => {
    await wait(delayMs, undefined, { ref: false });
    if ((await limits.take(`fail-sign-in-entries:${userId}`, entriesAnHour, 3_600)).exceeded)
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
