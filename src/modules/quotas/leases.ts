import { randomUUID } from 'node:crypto';
import { createBatcher } from '../../platform/batch.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseLog } from '../../platform/database/database-log.ts';
import { fragment } from '../../platform/database/sql.ts';
import { isTooFarAhead, notTooFarAhead } from '../../platform/database/times-ahead.ts';
import { AppError } from '../../platform/errors.ts';
import type { RowsStatement, RunWrites } from '../runs/run-writes.ts';

export type Lease = {
  /** Does nothing when it has ended. */
  end(): Promise<void>;
  /**
   * Ends with a commit of the caller, which saves a transaction. `commit` must add the deletion to
   * its writes; if it fails, the lease goes on until `end`.
   */
  endWith(commit: (addDeletion: (writes: RunWrites) => void) => Promise<void>): Promise<void>;
};

type LeaseRequest = { kind: 'RUNS' | 'UPLOADS'; organizationId: string; limit: number };

// The database's clock decides, because all processes share it. The leases of a killed process stop
// counting after this time.
const leaseSeconds = 30;
const extendEveryMs = 10_000;
const retryAfterSeconds = 2;
const batchMax = 100;
// With many runs in progress one of them ends every few milliseconds, and they share a statement.
const busyFrom = 16;
const busyIntervalMs = 10;

/**
 * Leases for the runs and uploads that an organization has in progress, counted in the database
 * over all processes. A process extends its leases until the work ends, so that the leases of a
 * killed process expire.
 */
export function createLeases({
  database: { sql },
  log,
}: {
  database: Database;
  log: Pick<DatabaseLog, 'warn'>;
}) {
  const activeIds = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let extending: Promise<void> | undefined;

  async function extend(): Promise<void> {
    await sql`
      update quota_leases set expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}) where id = any(${[...activeIds]})`;
  }
  const logFailure = (error: unknown) =>
    log.warn({ err: error }, 'quota leases could not be updated');

  function stopExtending(id: string): void {
    activeIds.delete(id);
    if (activeIds.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function leaseOf(id: string): Lease {
    let hasEnded = false;
    return {
      async end() {
        if (hasEnded) return;
        hasEnded = true;
        stopExtending(id);
        // If the delete fails, the lease is no longer extended and expires.
        await deleteLeases('', id).catch(logFailure);
      },
      async endWith(commit) {
        stopExtending(id);
        // Extending locks the rows of many leases, and so may the commit, in another order.
        await extending;
        await commit((writes) => writes.add(deleteRows, { id }));
        hasEnded = true;
      },
    };
  }

  // Each statement waits for the one before it of the same organization, until its commit is on
  // disk. Runs that start or end at the same time share a statement, so they do not queue.
  const takeLeases = createBatcher<LeaseRequest & { id: string }, TakenLease>(
    { itemsMax: batchMax },
    async (_, requests) => {
      const ids = requests.map(({ id }) => id);
      const [first] = requests;
      if (!first) return [];
      const { kind, organizationId, limit } = first;
      // The statement begins with `with`, because one that begins with `select` may share its
      // transaction with other reads.
      const [result] = await sql<{ taken: number; leasesMax: number }>`
        with lease as (select * from take_quota_leases(${ids}, ${organizationId}, ${kind}::quota_lease_kind, ${limit}::int, ${leaseSeconds}::int))
        select taken, at_most as "leasesMax" from lease`;
      const { taken = 0, leasesMax = 0 } = result ?? {};
      return ids.map((_id, index) => ({ isTaken: index < taken, leasesMax }));
    },
  );
  const deleteLeases = createBatcher<string, true>(
    { itemsMax: batchMax, intervalMsMin: () => (activeIds.size < busyFrom ? 0 : busyIntervalMs) },
    async (_, ids) => {
      await sql`${deleteRows(ids.map((id) => ({ id })))}`;
      return ids.map(() => true);
    },
  );

  return {
    /**
     * Takes a lease. Throws if the organization has as many in progress as its limit allows.
     */
    async take({ kind, organizationId, limit }: LeaseRequest): Promise<Lease> {
      const id = randomUUID();
      const { isTaken, leasesMax } = await takeLeases(`${kind} ${organizationId}`, {
        id,
        kind,
        organizationId,
        limit,
      });
      if (!isTaken) throw concurrencyLimitReached(kind, leasesMax);
      activeIds.add(id);
      timer ??= setInterval(() => {
        extending = extend().catch(logFailure);
      }, extendEveryMs).unref();
      return leaseOf(id);
    },
    close: () => clearInterval(timer),
  };
}

/** Shortens leases from before the clock of the database was set back. */
export async function shortenQuotaLeases({
  database: { sql },
}: {
  database: Pick<Database, 'sql'>;
}): Promise<void> {
  const lease = fragment`expires_at`;
  await sql`
    update quota_leases set expires_at = ${notTooFarAhead(lease, leaseSeconds)} where ${isTooFarAhead(lease, leaseSeconds)}`;
}

const deleteRows: RowsStatement<{ id: string }> = (rows) =>
  fragment`delete from quota_leases where id = any(${rows.map(({ id }) => id)})`;

type TakenLease = { isTaken: boolean; leasesMax: number };

function concurrencyLimitReached(kind: LeaseRequest['kind'], leasesMax: number): AppError {
  const noun = kind === 'RUNS' ? 'runs' : 'uploads';
  const message = `Your organization may have ${leasesMax} ${noun} at the same time; wait until one has ended, and try again`;
  return new AppError('CONCURRENCY_LIMIT_REACHED', message, kind, retryAfterSeconds);
}
