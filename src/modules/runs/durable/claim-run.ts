import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';
import type { RunRecord } from '../run-record.ts';
import { recordColumns, type StoredRecord } from './run.ts';

type ClaimDependencies = { database: Database; clock: Clock };

/** A run that only the holder may execute until its lease ends. */
export type ClaimedRun = RunRecord & {
  /** Unique for each claim, so a process that stalled cannot write after it claimed again. */
  holder: string;
  /** How often the run was claimed since its last finished step. */
  attempts: number;
};

// Leases use the clock of the database, which all processes share.
export const leaseSeconds = 20;

/**
 * `executing`: the runs of this process. After the clock of the database has jumped ahead, or the
 * process has slept, their leases are over until it extends them.
 */
const isDue = (executing: readonly string[]) => fragment`
  ((r.state = 'QUEUED' and (r.next_attempt_at is null or r.next_attempt_at <= clock_timestamp()))
    or (r.state = 'RUNNING' and r.lease_until < clock_timestamp() and r.id <> all(${executing}::text[])))`;

type NextInput = {
  /** The concurrent runs of an organization without a limit of its own. */
  runsLimit: number;
  /** Organizations of which this process can execute no further run at the moment. */
  excluded: readonly string[];
  executing: readonly string[];
};

/**
 * The organization whose turn it is: of those with a run that is due and a free slot of their quota,
 * the one with the fewest durable runs in progress, and between equals the one whose last turn is
 * longest ago.
 */
export async function nextOrganization(
  { runsLimit, excluded, executing }: NextInput,
  { database: { sql } }: Pick<ClaimDependencies, 'database'>,
): Promise<string | undefined> {
  const [next] = await sql<{ organizationId: string }>`
    with recursive waiting (organization_id) as (
      (select organization_id from runs where is_durable and state in ('QUEUED', 'RUNNING') order by organization_id limit 1)
      union all
      select (
        select r.organization_id from runs r
        where r.is_durable and r.state in ('QUEUED', 'RUNNING') and r.organization_id > w.organization_id order by r.organization_id limit 1)
      from waiting w where w.organization_id is not null)
    select w.organization_id as "organizationId"
    from waiting w join organizations o on o.id = w.organization_id
    cross join lateral (
      select count(*) as runs from runs r
      where r.organization_id = o.id and r.is_durable and r.state = 'RUNNING' and r.lease_until >= clock_timestamp()) progress
    cross join lateral (
      select count(*) as leases from quota_leases l
      where l.organization_id = o.id and l.kind = 'RUNS' and l.expires_at >= clock_timestamp()) used
    where o.id <> all(${[...excluded]}) and used.leases < coalesce(o.concurrent_runs_max, ${runsLimit}::int)
      and exists (select from runs r where r.organization_id = o.id and r.is_durable and r.state in ('QUEUED', 'RUNNING') and ${isDue(executing)})
    order by progress.runs, o.last_run_turn_at nulls first, o.id limit 1`;
  return next?.organizationId;
}

/** Claims the oldest run of an organization that is due: a new one, or one whose holder has died. */
export async function claimRun(
  { organizationId, executing }: { organizationId: string; executing: readonly string[] },
  { database: { sql }, clock }: ClaimDependencies,
): Promise<ClaimedRun | undefined> {
  const holder = randomUUID();
  const [claimed] = await sql<StoredRecord & Pick<ClaimedRun, 'attempts'>>`
    update runs r
    set state = 'RUNNING', lease_holder = ${holder}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
      attempts = r.attempts + 1, next_attempt_at = null, started_at = coalesce(r.started_at, ${clock()})
    where r.id = (
      select r.id from runs r
      where r.organization_id = ${organizationId} and r.is_durable and r.state in ('QUEUED', 'RUNNING') and ${isDue(executing)}
      order by r.created_at, r.id limit 1 for update skip locked)
    returning ${recordColumns}, r.attempts`;
  // A separate statement: together with the one above it could wait for a transaction that waits for
  // the row of the run.
  if (claimed)
    await sql`update organizations set last_run_turn_at = clock_timestamp() where id = ${organizationId}`;
  return claimed && { ...claimed, userId: claimed.userId ?? '', holder };
}

/** Lets another process claim the run at once, without counting the attempt. */
export async function releaseRun(
  { id, holder }: ClaimedRun,
  { database: { sql } }: Pick<ClaimDependencies, 'database'>,
): Promise<void> {
  await sql`
    update runs set lease_until = clock_timestamp(), attempts = attempts - 1
    where id = ${id} and lease_holder = ${holder} and state = 'RUNNING'`;
}

/** Schedules the next attempt, without counting this one. */
export async function postponeRun(
  { id, holder }: ClaimedRun,
  { seconds }: { seconds: number },
  { database: { sql } }: Pick<ClaimDependencies, 'database'>,
): Promise<void> {
  await sql`
    update runs set lease_holder = null, lease_until = clock_timestamp() + make_interval(secs => ${seconds}), attempts = attempts - 1
    where id = ${id} and lease_holder = ${holder} and state = 'RUNNING'`;
}
