import { randomUUID } from 'node:crypto';
import type { Database, DatabaseLog } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';

type Lease = { kind: 'RUNS' | 'UPLOADS'; organizationId: string; limit: number };

// By the database's clock, which all processes share. What a killed process had under way counts no
// longer after that.
const leaseSeconds = 30;
const extendEveryMs = 10_000;
const retryAfterSeconds = 2;

/**
 * What an organization has under way, counted in the database over all processes. A process extends
 * its leases while the work lasts, so that the work of a process that was killed stops counting by
 * itself.
 */
export function createLeases({
  database: { sql },
  log,
}: {
  database: Database;
  log: Pick<DatabaseLog, 'warn'>;
}) {
  const own = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function extend(): Promise<void> {
    await sql`
      update quota_leases set expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}) where id = any(${[...own]})`;
  }
  const noteFault = (error: unknown) =>
    log.warn({ err: error }, 'leases of runs and uploads could not be updated');

  async function release(id: string): Promise<void> {
    own.delete(id);
    if (own.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    // A lease that cannot be deleted now is no longer extended, and expires.
    await sql`delete from quota_leases where id = ${id}`.catch(noteFault);
  }

  return {
    /**
     * Refuses where the organization has as many under way as it may have; otherwise returns what
     * ends the lease.
     */
    async take({ kind, organizationId, limit }: Lease): Promise<() => Promise<void>> {
      const id = randomUUID();
      // It begins with `with`: a statement that begins with `select` may share its transaction with
      // other reads.
      const [lease] = await sql<{ taken: boolean; atMost: number }>`
        with lease as (select * from take_quota_lease(${id}, ${organizationId}, ${kind}::quota_lease_kind, ${limit}::int, ${leaseSeconds}::int))
        select taken, at_most as "atMost" from lease`;
      if (!lease?.taken) throw tooMany(kind, lease?.atMost ?? 0);
      own.add(id);
      timer ??= setInterval(() => void extend().catch(noteFault), extendEveryMs).unref();
      return () => release(id);
    },
    close: () => clearInterval(timer),
  };
}

function tooMany(kind: Lease['kind'], atMost: number): AppError {
  const what = kind === 'RUNS' ? 'runs' : 'uploads';
  const message = `Your organization may have ${atMost} ${what} at the same time; wait until one has ended, and try again`;
  return new AppError('CONCURRENCY_LIMIT_REACHED', message, kind, retryAfterSeconds);
}
