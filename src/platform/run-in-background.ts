import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from './log.ts';

const running = new Set<Promise<void>>();
// Longer than everything but a model that does not answer.
const patienceMs = 5_000;

/**
 * Runs work after the response: so that the response time does not reveal whether an account exists,
 * or because nobody waits for the result.
 */
export function runInBackground(log: Log, work: () => Promise<void>): void {
  const done = work()
    .catch((err: unknown) => log.error({ err }, 'background work failed'))
    .finally(() => running.delete(done));
  running.add(done);
}

/**
 * Resolves when the work that runs now has ended, or after five seconds. What it uses can be closed
 * then: an e-mail that was requested right before the end of the process is sent.
 */
export async function backgroundWorkEnded(): Promise<void> {
  const patience = new AbortController();
  await Promise.race([
    Promise.all(running),
    wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined),
  ]);
  patience.abort();
}
