import type { Database } from '../../platform/database/database.ts';
import type { DatabaseLog } from '../../platform/database/database-log.ts';
import { countEntries } from './count-entries.ts';
import { eraseEntries } from './erase-usage.ts';

type UsageKeeperDependencies = { database: Database; log: Pick<DatabaseLog, 'warn'> };

const keepEveryMs = 60_000;

export type UsageKeeper = ReturnType<typeof createUsageKeeper>;

/**
 * Keeps the totals of usage in the background: once a minute, if this process has changed
 * something, and once after the start, for what a killed process has left. Readers add what the
 * totals do not contain yet, so nothing waits for it.
 */
export function createUsageKeeper({ database, log }: UsageKeeperDependencies) {
  let isPending = true;
  let running: Promise<void> | undefined;

  async function keep(): Promise<void> {
    isPending = false;
    try {
      isPending ||= !(await countEntries({ database }));
      await eraseEntries({ database });
    } catch (err) {
      isPending = true;
      log.warn({ err }, 'the totals of usage could not be kept; the next try is in a minute');
    }
  }
  const keepOnce = () =>
    (running ??= keep().finally(() => {
      running = undefined;
    }));
  const timer = setInterval(() => {
    if (isPending) void keepOnce();
  }, keepEveryMs).unref();

  return {
    /** Call this after every change of usage entries. */
    changed(): void {
      isPending = true;
    },
    /** Adds what is pending to the totals at once. */
    keep: keepOnce,
    async close(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
