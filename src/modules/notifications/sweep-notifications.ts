import type { Clock } from '../../platform/clock.ts';
import { clocksAgree } from '../../platform/database/clocks-agree.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { type RepeatedWork, repeatEvery } from '../../platform/repeat.ts';
import { notificationDays } from './notification.ts';

type SweepDependencies = { database: Database; clock: Clock };

const deletedAtOnce = 1_000;
const firstSweepMs = 90_000;
const sweepEveryMs = 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Deletes old notifications of all organizations. Several processes may do so at the same time.
 * Returns how many were deleted.
 */
export async function sweepNotifications(
  { database: { unscoped }, clock }: SweepDependencies,
  stopping?: AbortSignal,
): Promise<number> {
  const oldest = new Date(clock().getTime() - notificationDays * dayMs);
  for (let total = 0; ; ) {
    const deleted = await unscoped.sql`
      delete from notifications where id in (
        select id from notifications where created_at < ${oldest}
        order by created_at limit ${deletedAtOnce}::int for update skip locked) returning id`;
    total += deleted.length;
    if (deleted.length < deletedAtOnce || stopping?.aborted) return total;
  }
}

/** Sweeps soon after the start and then every hour. */
export const scheduleNotificationSweep = ({
  log,
  ...dependencies
}: SweepDependencies & { log: Log }): RepeatedWork =>
  repeatEvery(
    async (stopping) => {
      if (await clocksAgree({ ...dependencies, log }))
        await sweepNotifications(dependencies, stopping);
    },
    {
      firstInMs: firstSweepMs,
      everyMs: sweepEveryMs,
      failed: (err) => log.warn({ err }, 'old notifications could not be deleted yet'),
    },
  );
