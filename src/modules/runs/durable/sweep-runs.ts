import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { isTooFarAhead, notTooFarAhead } from '../../../platform/database/times-ahead.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { deleteExpiredRequests } from '../../../platform/idempotency/request-records.ts';
import { shortenQuotaLeases } from '../../quotas/leases.ts';
import { heartbeatSeconds } from '../run-heartbeats.ts';
import type { RunOutcome } from '../run-record.ts';
import { leaseSeconds } from './claim-run.ts';
import { type EndDependencies, endRun } from './end-run.ts';
import { recordColumns, type StoredRecord } from './run.ts';

const runsPerTransaction = 100;
const queuedHoursMax = 24;
const leaseSecondsMax = Math.max(leaseSeconds, heartbeatSeconds);

const interrupted: RunOutcome = {
  state: 'FAILED',
  errorCode: 'RUN_INTERRUPTED',
  message: 'The process that executed the run has ended',
};
const expired: RunOutcome = {
  state: 'EXPIRED',
  errorCode: 'RUN_EXPIRED',
  message: `The run could not be executed within ${queuedHoursMax} hours`,
};

/**
 * Shortens leases from before the clock of the database was set back. Ends the runs that no process
 * works on any more: those of a process that has ended, and durable
 * ones that could not be executed for a day. Then deletes the content of runs whose time is over,
 * and the answers that were stored for repetitions. `endsByAge`: whether the clock of this process can
 * say how old something is.
 */
export async function sweepRuns(
  dependencies: EndDependencies,
  { endsByAge = true }: { endsByAge?: boolean } = {},
): Promise<void> {
  const { clock, database } = dependencies;
  const now = clock();
  const oldest = new Date(now.getTime() - queuedHoursMax * 3_600_000);
  const lapsed = ({ sql }: Transaction) => sql<StoredRecord>`
    select ${recordColumns} from runs r
    where not r.is_durable and r.state = 'RUNNING' and r.lease_until < clock_timestamp()
    order by r.id limit ${runsPerTransaction}::int for update skip locked`;
  const waiting = ({ sql }: Transaction) => sql<StoredRecord>`
    select ${recordColumns} from runs r
    where r.is_durable and r.created_at < ${oldest}
      and (r.state = 'QUEUED' or (r.state = 'RUNNING' and r.lease_until < clock_timestamp()))
    order by r.id limit ${runsPerTransaction}::int for update skip locked`;
  const lease = fragment`lease_until`;
  await database.sql`
    update runs set lease_until = ${notTooFarAhead(lease, leaseSecondsMax)}
    where state in ('QUEUED', 'RUNNING') and ${isTooFarAhead(lease, leaseSecondsMax)}`;
  await shortenQuotaLeases(dependencies);
  await endAll(lapsed, interrupted, dependencies);
  if (!endsByAge) return;
  await endAll(waiting, expired, dependencies);
  await database.sql`
    delete from run_contents c using runs r where r.id = c.run_id and r.content_until <= ${now}`;
  await deleteExpiredRequests(now, { database });
}

async function endAll(
  lock: (tx: Transaction) => Promise<StoredRecord[]>,
  outcome: RunOutcome,
  dependencies: EndDependencies,
): Promise<void> {
  for (;;) {
    const ended = await inTransaction(dependencies.database, async (tx) => {
      const runs = await lock(tx);
      for (const run of runs) endRun(tx, run, outcome, dependencies);
      return runs.length;
    });
    if (ended < runsPerTransaction) return;
  }
}
