import type { Log } from '../../platform/log.ts';

/**
 * Runs work after the response, so that the response time does not reveal whether an account
 * exists.
 */
export function runInBackground(log: Log, work: () => Promise<void>): void {
  work().catch((err: unknown) => log.error({ err }, 'background work failed'));
}
