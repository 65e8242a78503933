import type { Database } from '../database/database.ts';
import type { Prisma } from '../database/generated/client.ts';
import { fragment } from '../database/sql.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';

/**
 * Under which name a request may come again: the organization, the person whose key it is (empty
 * for the organization's own), the sender's key.
 */
export type RequestName = { organizationId: string; userId: string; key: string };

/**
 * The only run that may write for a request, and what the transactions of the run before it
 * returned.
 */
export type RequestRecord = RequestName & { runId: string; steps: Uint8Array[] };

/** How a request stands that another run has. */
export type RequestStatus = { fingerprint: Uint8Array; answer: string | null; isAlive: boolean };

type Parts = { database: Pick<Database, 'sql'> };

const keepMs = 24 * 60 * 60 * 1000;
// A run says so more often than this that it is alive. By the database's clock, which all processes
// share.
const aliveSeconds = 10;
export const heartbeatEveryMs = 3_000;

/**
 * Begins a request: one that never came, that came more than a day ago, or whose run has died.
 * Undefined where another run has it. Takes a few rows along whose day is over, so that nothing
 * else has to.
 */
export async function beginRequest(
  name: RequestName,
  fingerprint: Uint8Array,
  at: Date,
  { database: { sql } }: Parts,
): Promise<RequestRecord | undefined> {
  const { organizationId, userId, key } = name;
  const runId = newId();
  const [begun] = await sql<{ steps: Uint8Array[] }>`
    with over as (
      delete from idempotent_requests where (organization_id, user_id, key) in (
        select organization_id, user_id, key from idempotent_requests
        where expires_at <= ${at} and (organization_id, user_id, key) <> (${organizationId}, ${userId}, ${key})
        order by expires_at limit 10 for update skip locked)
    )
    insert into idempotent_requests as kept (organization_id, user_id, key, fingerprint, run_id, alive_until, steps, expires_at)
    values (${organizationId}, ${userId}, ${key}, ${fingerprint}, ${runId}, clock_timestamp() + make_interval(secs => ${aliveSeconds}), '{}',
      ${new Date(at.getTime() + keepMs)})
    on conflict (organization_id, user_id, key) do update
      set fingerprint = excluded.fingerprint, run_id = excluded.run_id, alive_until = excluded.alive_until, expires_at = excluded.expires_at,
        steps = case when kept.expires_at <= ${at} then '{}' else kept.steps end, answer = null
      where kept.expires_at <= ${at}
        or (kept.answer is null and kept.alive_until < clock_timestamp() and (kept.fingerprint = excluded.fingerprint or kept.steps = '{}'))
    returning steps`;
  return begun && { ...name, runId, steps: begun.steps };
}

/** Undefined where no run has it any more: then it can be begun. */
export async function statusOf(
  { organizationId, userId, key }: RequestName,
  at: Date,
  { database: { sql } }: Parts,
): Promise<RequestStatus | undefined> {
  const [standing] = await sql<RequestStatus>`
    select fingerprint, answer, alive_until >= clock_timestamp() as "isAlive" from idempotent_requests
    where organization_id = ${organizationId} and user_id = ${userId} and key = ${key} and expires_at > ${at}`;
  return standing;
}

/**
 * Part of the transaction itself: it is refused where another run has taken over meanwhile.
 * `fingerprint`: of the whole request, where only a part of it was known when the run began.
 */
export async function keepStep(
  { organizationId, userId, key, runId }: RequestRecord,
  result: Uint8Array,
  tx: Prisma.TransactionClient,
  fingerprint: Uint8Array | null = null,
): Promise<void> {
  const kept = await tx.$executeRaw`
    update idempotent_requests
    set steps = array_append(steps, ${result}::bytea), fingerprint = coalesce(${fingerprint}::bytea, fingerprint),
      alive_until = clock_timestamp() + make_interval(secs => ${aliveSeconds})
    where organization_id = ${organizationId} and user_id = ${userId} and key = ${key} and run_id = ${runId}`;
  if (kept === 0) throw stillRunning();
}

export async function heartbeat(run: RequestRecord, { database: { sql } }: Parts): Promise<void> {
  await sql`update idempotent_requests set alive_until = clock_timestamp() + make_interval(secs => ${aliveSeconds}) where ${isOf(run)}`;
}

/** Ends a run with its answer, which every repetition gets from now on. */
export async function keepAnswer(
  run: RequestRecord,
  answer: string,
  { database: { sql } }: Parts,
): Promise<void> {
  await sql`update idempotent_requests set answer = ${answer}, steps = '{}' where ${isOf(run)}`;
}

/**
 * Ends a run that was refused or failed. What it has written stays known, and the next run goes on
 * from there.
 */
export async function abandon(run: RequestRecord, { database: { sql } }: Parts): Promise<void> {
  await sql`
    with forgotten as (delete from idempotent_requests where ${isOf(run)} and steps = '{}' and answer is null)
    update idempotent_requests set alive_until = to_timestamp(0) where ${isOf(run)} and steps <> '{}'`;
}

const isOf = ({ organizationId, userId, key, runId }: RequestRecord) =>
  fragment`organization_id = ${organizationId} and user_id = ${userId} and key = ${key} and run_id = ${runId}`;

export const stillRunning = () =>
  new AppError(
    'STILL_RUNNING',
    'A request with this Idempotency-Key is still running; send it again in a second',
  );
