import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';

// A run whose process has ended is recorded as interrupted after this time.
export const heartbeatSeconds = 30;
const everyMs = 10_000;

export type RunHeartbeats = ReturnType<typeof createRunHeartbeats>;

/**
 * Extends the leases of the runs that end with their request, by one statement for all runs of the
 * process. The clock of the database decides, because all processes share it.
 */
export function createRunHeartbeats({ database: { sql }, log }: { database: Database; log: Log }) {
  const active = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const extend = () =>
    sql`
      update runs set lease_until = clock_timestamp() + make_interval(secs => ${heartbeatSeconds})
      where id = any(${[...active]}) and state = 'RUNNING'`.catch((error: unknown) =>
      log.warn({ err: error }, 'The leases of runs could not be extended'),
    );

  return {
    /** The number of runs in progress. */
    get active(): number {
      return active.size;
    },
    begin(runId: string): void {
      active.add(runId);
      timer ??= setInterval(() => void extend(), everyMs).unref();
    },
    end(runId: string): void {
      active.delete(runId);
      if (active.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
