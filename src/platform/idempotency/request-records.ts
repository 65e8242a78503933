import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/open-transaction.ts';
import { fragment } from '../database/sql.ts';
import { isTooFarAhead, notTooFarAhead } from '../database/times-ahead.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';

/**
 * Identifies an idempotent request: the organization, the person who owns the API key or session
 * (empty for an organization key), and the Idempotency-Key header.
 */
export type RequestName = { organizationId: string; userId: string; key: string };

/**
 * A run of an idempotent request. Only the run with this `runId` may write. `steps` are the results
 * of the transactions that earlier runs committed.
 */
export type RequestRecord = RequestName & { runId: string; steps: Uint8Array[] };

/** The state of a request that another run is executing or has completed. */
export type RequestStatus = {
  fingerprint: Uint8Array;
  answer: string | null;
  isAlive: boolean;
  isTooFarAhead: boolean;
};

type RequestRecordDependencies = { database: Pick<Database, 'sql'> };

const retentionMs = 24 * 60 * 60 * 1000;
// A run sends a heartbeat more often than this. The database clock decides, because all processes
// share it.
const aliveSeconds = 10;
export const heartbeatEveryMs = 3_000;
const aliveUntil = fragment`alive_until`;
const aliveTooFarAhead = isTooFarAhead(aliveUntil, aliveSeconds);

/**
 * Starts a run if the request is new, older than a day, or if its last run has stopped sending
 * heartbeats. Returns undefined if another run is alive or has completed. Also deletes up to ten
 * expired records, so no separate cleanup job is needed.
 */
export async function startRequest(
  name: RequestName,
  fingerprint: Uint8Array,
  at: Date,
  { database: { sql } }: RequestRecordDependencies,
): Promise<RequestRecord | undefined> {
  const { organizationId, userId, key } = name;
  const runId = newId();
  const [created] = await sql<{ steps: Uint8Array[] }>`
    with expired as (
      delete from idempotent_requests where (organization_id, user_id, key) in (
        select organization_id, user_id, key from idempotent_requests
        where expires_at <= ${at} and (organization_id, user_id, key) <> (${organizationId}, ${userId}, ${key})
        order by expires_at limit 10 for update skip locked)
    )
    insert into idempotent_requests as existing (organization_id, user_id, key, fingerprint, run_id, alive_until, steps, expires_at)
    values (${organizationId}, ${userId}, ${key}, ${fingerprint}, ${runId}, clock_timestamp() + make_interval(secs => ${aliveSeconds}), '{}',
      ${new Date(at.getTime() + retentionMs)})
    on conflict (organization_id, user_id, key) do update
      set fingerprint = excluded.fingerprint, run_id = excluded.run_id, alive_until = excluded.alive_until, expires_at = excluded.expires_at,
        steps = case when existing.expires_at <= ${at} then '{}' else existing.steps end, answer = null
      where existing.expires_at <= ${at}
        or (existing.answer is null and existing.alive_until < clock_timestamp() and (existing.fingerprint = excluded.fingerprint or existing.steps = '{}'))
    returning steps`;
  return created && { ...name, runId, steps: created.steps };
}

/** Undefined if the record no longer exists; then `startRequest` succeeds. */
export async function statusOf(
  { organizationId, userId, key }: RequestName,
  at: Date,
  { database: { sql } }: RequestRecordDependencies,
): Promise<RequestStatus | undefined> {
  const [status] = await sql<RequestStatus>`
    select fingerprint, answer, alive_until >= clock_timestamp() as "isAlive", ${aliveTooFarAhead} as "isTooFarAhead" from idempotent_requests
    where organization_id = ${organizationId} and user_id = ${userId} and key = ${key} and expires_at > ${at}`;
  // The clock of the database was set back. If the run is alive, its next heartbeat comes before then.
  if (status?.isTooFarAhead)
    await sql`
      update idempotent_requests set alive_until = ${notTooFarAhead(aliveUntil, aliveSeconds)}
      where organization_id = ${organizationId} and user_id = ${userId} and key = ${key} and answer is null`;
  return status;
}

/**
 * Runs inside the transaction whose result it saves, and throws if another run has taken over.
 * `fingerprint` is the hash of the whole request, if only a part was known when the run started.
 */
export async function saveStep(
  { organizationId, userId, key, runId }: RequestRecord,
  result: Uint8Array,
  { sql }: Pick<Transaction, 'sql'>,
  fingerprint: Uint8Array | null = null,
): Promise<void> {
  const updatedRows = await sql`
    update idempotent_requests
    set steps = array_append(steps, ${result}::bytea), fingerprint = coalesce(${fingerprint}::bytea, fingerprint),
      alive_until = clock_timestamp() + make_interval(secs => ${aliveSeconds})
    where organization_id = ${organizationId} and user_id = ${userId} and key = ${key} and run_id = ${runId}
    returning run_id`;
  if (updatedRows.length === 0) throw stillRunning();
}

export async function heartbeat(
  run: RequestRecord,
  { database: { sql } }: RequestRecordDependencies,
): Promise<void> {
  await sql`update idempotent_requests set alive_until = clock_timestamp() + make_interval(secs => ${aliveSeconds}) where ${matchesRun(run)}`;
}

const expiredAtOnce = 1_000;

/** Deletes expired records, because their answers can have content that is to be kept for a day only. */
export async function deleteExpiredRequests(
  at: Date,
  { database: { sql } }: RequestRecordDependencies,
): Promise<void> {
  await sql`
    delete from idempotent_requests where (organization_id, user_id, key) in (
      select organization_id, user_id, key from idempotent_requests where expires_at <= ${at}
      order by expires_at limit ${expiredAtOnce}::int for update skip locked)`;
}

/** Completes a run. Every repetition of the request gets this answer from now on. */
export async function saveAnswer(
  run: RequestRecord,
  answer: string,
  { database: { sql } }: RequestRecordDependencies,
): Promise<void> {
  await sql`update idempotent_requests set answer = ${answer}, steps = '{}' where ${matchesRun(run)}`;
}

/**
 * Ends a failed run. The results of its committed transactions are kept, and the next run continues
 * after them.
 */
export async function abandon(
  run: RequestRecord,
  { database: { sql } }: RequestRecordDependencies,
): Promise<void> {
  await sql`
    with deleted as (delete from idempotent_requests where ${matchesRun(run)} and steps = '{}' and answer is null)
    update idempotent_requests set alive_until = to_timestamp(0) where ${matchesRun(run)} and steps <> '{}'`;
}

const matchesRun = ({ organizationId, userId, key, runId }: RequestRecord) =>
  fragment`organization_id = ${organizationId} and user_id = ${userId} and key = ${key} and run_id = ${runId}`;

export const stillRunning = () =>
  new AppError(
    'STILL_RUNNING',
    'A request with this Idempotency-Key is still running; send it again in a second',
  );
