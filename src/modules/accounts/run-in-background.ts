import type { Log } from '../../platform/log.ts';

/** Does after the answer what must not show in its time: whether there is such an account. */
export function runInBackground(log: Log, work: () => Promise<void>): void {
  work().catch((err: unknown) => log.error({ err }, 'work that goes on after the answer failed'));
}
