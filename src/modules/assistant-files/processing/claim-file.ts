import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { isTooFarAhead, notTooFarAhead } from '../../../platform/database/times-ahead.ts';
import { type AssistantFile, assistantFileColumns } from '../assistant-file.ts';

type ClaimDependencies = { database: Database };

/** A file that only this process may process until its lease ends. */
export type ClaimedFile = AssistantFile & {
  holder: string;
  attempts: number;
  /** Whether other files of its organization wait. */
  hasMore: boolean;
};

// Leases use the clock of the database, which all processes share.
const leaseSeconds = 20;
export const renewEveryMs = 5_000;

/**
 * `perOrganizationMax`: how many files of one organization this holder processes at the same time.
 * `paused`: organizations whose files are not claimed now. `held`: the files that this holder
 * processes. After the clock of the database has jumped ahead, or the process has slept, their leases
 * are over until this holder extends them, and it must not process them a second time.
 */
type ClaimInput = {
  holder: string;
  perOrganizationMax: number;
  paused?: readonly string[];
  held?: readonly string[];
};

/**
 * Claims the next file: a new file, a file whose next attempt is due, or a file whose holder has
 * died. Organizations take turns: the organization with the fewest files in progress comes first
 * and, between equals, the one whose last turn is longest ago. Within an organization the oldest
 * file comes first.
 */
export async function claimFile(
  { holder, perOrganizationMax, paused = [], held = [] }: ClaimInput,
  { database: { sql } }: ClaimDependencies,
): Promise<ClaimedFile | undefined> {
  const isDue = fragment`
    ((f.status = 'PENDING' and (f.next_attempt_at is null or f.next_attempt_at <= clock_timestamp()))
      or (f.status = 'PROCESSING' and f.lease_until < clock_timestamp() and f.id <> all(${held}::text[])))`;
  const [claimed] = await sql<ClaimedFile>`
    with recursive waiting (organization_id) as (
      (select organization_id from assistant_files where status in ('PENDING', 'PROCESSING') order by organization_id limit 1)
      union all
      select (
        select f.organization_id from assistant_files f
        where f.status in ('PENDING', 'PROCESSING') and f.organization_id > w.organization_id order by f.organization_id limit 1)
      from waiting w where w.organization_id is not null),
    turns as materialized (
      select w.organization_id, o.last_file_turn_at, progress.files
      from waiting w join organizations o on o.id = w.organization_id
      cross join lateral (
        select count(*) as files, count(*) filter (where f.lease_holder = ${holder}) as own_files from assistant_files f
        where f.organization_id = w.organization_id and f.status = 'PROCESSING' and f.lease_until >= clock_timestamp()) progress
      where progress.own_files < ${perOrganizationMax} and w.organization_id <> all(${paused}::text[])),
    next as (
      select due.id from (select * from turns order by files, last_file_turn_at nulls first, organization_id) turns
      cross join lateral (
        select f.id from assistant_files f
        where f.organization_id = turns.organization_id and f.status in ('PENDING', 'PROCESSING') and ${isDue}
        order by f.created_at, f.id limit 1 for update skip locked) due
      limit 1)
    update assistant_files f
    set status = 'PROCESSING', stage = null, lease_holder = ${holder}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
      attempts = attempts + 1, next_attempt_at = null
    where f.id = (select id from next)
    returning ${assistantFileColumns}, f.lease_holder as holder, f.attempts,
      exists (select from assistant_files o where o.organization_id = f.organization_id and o.status = 'PENDING' and o.id <> f.id) as "hasMore"`;
  // This is a separate statement. If the statement above also locked the row of the organization,
  // it could wait for a transaction that waits for the row of the file.
  if (claimed)
    await sql`update organizations set last_file_turn_at = clock_timestamp() where id = ${claimed.organizationId}`;
  return claimed;
}

/** The longest pause before a next attempt. */
const pauseSecondsMax = 64;

/** Shortens leases and pauses from before the clock of the database was set back. */
export async function shortenFileTimes({ database: { sql } }: ClaimDependencies): Promise<void> {
  const lease = fragment`lease_until`;
  const next = fragment`next_attempt_at`;
  await sql`
    update assistant_files
    set lease_until = ${notTooFarAhead(lease, leaseSeconds)}, next_attempt_at = ${notTooFarAhead(next, pauseSecondsMax)}
    where status in ('PENDING', 'PROCESSING') and (${isTooFarAhead(lease, leaseSeconds)} or ${isTooFarAhead(next, pauseSecondsMax)})`;
}

/** Returns false if another process has claimed the file by now, or the file is deleted. */
export async function renewLease(
  { id, holder }: ClaimedFile,
  { database: { sql } }: ClaimDependencies,
): Promise<boolean> {
  const renewed = await sql`
    update assistant_files set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and lease_holder = ${holder} returning id`;
  return renewed.length > 0;
}

export async function recordStage(
  { id, holder }: ClaimedFile,
  stage: string,
  { database: { sql } }: ClaimDependencies,
): Promise<void> {
  await sql`update assistant_files set stage = ${stage}::processing_stage where id = ${id} and lease_holder = ${holder}`;
}

/** Releases the file without counting the attempt. */
export async function releaseFile(
  { id, holder }: ClaimedFile,
  { database: { sql } }: ClaimDependencies,
): Promise<void> {
  await sql`
    update assistant_files set status = 'PENDING', stage = null, reserved_passages = 0, lease_holder = null, lease_until = null, attempts = attempts - 1
    where id = ${id} and lease_holder = ${holder}`;
}

/**
 * Schedules the next attempt. The current attempt counts only if the file may be the cause of the
 * failure.
 */
export async function postpone(
  { id, holder }: ClaimedFile,
  { seconds, isCounted }: { seconds: number; isCounted: boolean },
  { database: { sql } }: ClaimDependencies,
): Promise<void> {
  await sql`
    update assistant_files set status = 'PENDING', stage = null, reserved_passages = 0, lease_holder = null, lease_until = null,
      attempts = attempts - ${isCounted ? 0 : 1}, next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds})
    where id = ${id} and lease_holder = ${holder}`;
}
