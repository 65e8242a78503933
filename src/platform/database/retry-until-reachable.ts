import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseLog } from './database-log.ts';
import { isUnavailable } from './faults.ts';

/** For programs that start together with their database or before it. */
export const serverWaitMs = 120_000;
const firstPauseMs = 250;
const pauseMsMax = 4_000;

/** Retries only if the server cannot be reached or is starting. A wrong setting fails at once. */
export async function retryUntilReachable(
  attempt: () => Promise<unknown>,
  waitMs: number,
  log: DatabaseLog,
): Promise<void> {
  const endsAt = performance.now() + waitMs;
  for (let retryInMs = firstPauseMs; ; retryInMs = Math.min(2 * retryInMs, pauseMsMax)) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + retryInMs > endsAt) throw error;
      // Without the stack: the fault is outside, and the line comes with each attempt.
      const { code, message } = Object(error);
      log.warn({ fault: message || code, retryInMs }, 'the database cannot be reached yet');
    }
    await pause(retryInMs);
  }
}
