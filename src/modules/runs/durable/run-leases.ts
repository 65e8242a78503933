import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import { leaseSeconds } from './claim-run.ts';

type Lease = { holder: string; lost: AbortController };

// A cancelled run stops within this time in whatever process it is executed.
const checkEveryMs = 500;
const renewEveryMs = 5_000;

/** The run was cancelled or deleted, or another process has claimed it: nothing may be written. */
export class LeaseLost extends Error {}

export type RunLeases = ReturnType<typeof createRunLeases>;

/**
 * Extends the leases of all durable runs that this process executes, by one statement, and notices
 * which of them it must not execute any more.
 */
export function createRunLeases({ database: { sql }, log }: { database: Database; log: Log }) {
  const leases = new Map<string, Lease>();
  let timer: NodeJS.Timeout | undefined;
  let renewedAt = 0;
  let isChecking = false;

  async function check(): Promise<void> {
    const checked = [...leases];
    const ids = checked.map(([id]) => id);
    const isRenewal = performance.now() - renewedAt >= renewEveryMs;
    if (isRenewal) renewedAt = performance.now();
    const rows = isRenewal
      ? await sql<{ id: string; holder: string | null }>`
          update runs set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
          where id = any(${ids}) and lease_holder = any(${checked.map(([, { holder }]) => holder)}) and state = 'RUNNING'
          returning id, lease_holder as holder`
      : await sql<{ id: string; holder: string | null }>`
          select id, lease_holder as holder from runs where id = any(${ids}) and state = 'RUNNING'`;
    const holders = new Map(rows.map(({ id, holder }) => [id, holder]));
    for (const [id, { holder, lost }] of checked)
      if (holders.get(id) !== holder) lost.abort(new LeaseLost());
  }

  async function checkOnce(): Promise<void> {
    if (isChecking || leases.size === 0) return;
    isChecking = true;
    try {
      await check();
    } catch (error) {
      log.warn({ err: error }, 'The leases of runs could not be extended');
    } finally {
      isChecking = false;
    }
  }

  return {
    /** Watches the lease of a claimed run. The signal is aborted when the lease is lost. */
    watch({ id, holder }: { id: string; holder: string }): {
      lost: AbortController;
      end: () => void;
    } {
      const lease = { holder, lost: new AbortController() };
      leases.set(id, lease);
      timer ??= setInterval(() => void checkOnce(), checkEveryMs);
      return {
        lost: lease.lost,
        end() {
          if (leases.get(id) === lease) leases.delete(id);
          if (leases.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    /** Stops a run of this process at once. */
    stop(id: string): void {
      leases.get(id)?.lost.abort(new LeaseLost());
    },
  };
}
