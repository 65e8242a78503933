import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { type AssistantFile, assistantFileColumns } from '../assistant-file.ts';

type Parts = { database: Database };

/** A file that this process alone may process, until its lease ends. */
export type ClaimedFile = AssistantFile & { holder: string; attempts: number };

// By the database's clock, which all processes share.
const leaseSeconds = 20;
export const renewEveryMs = 5_000;

/** `perOrganizationMax`: files of one organization that this holder processes at the same time. */
type Claim = { holder: string; perOrganizationMax: number };

/**
 * A file that was uploaded, whose next attempt is due, or whose holder has died. Organizations take
 * turns: first comes the one with the fewest files in progress and, between equals, the one whose
 * last turn is longest ago; of its files the oldest.
 */
export async function claimFile(
  { holder, perOrganizationMax }: Claim,
  { database: { sql } }: Parts,
): Promise<ClaimedFile | undefined> {
  const isDue = fragment`
    ((f.status = 'PENDING' and (f.next_attempt_at is null or f.next_attempt_at <= clock_timestamp()))
      or (f.status = 'PROCESSING' and f.lease_until < clock_timestamp()))`;
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
      where progress.own_files < ${perOrganizationMax}),
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
    returning ${assistantFileColumns}, f.lease_holder as holder, f.attempts`;
  // A statement of its own: a lock of the organization's row in the one above could wait for
  // somebody who waits for the file's.
  if (claimed)
    await sql`update organizations set last_file_turn_at = clock_timestamp() where id = ${claimed.organizationId}`;
  return claimed;
}

/** False where the file is another's by now, or gone. */
export async function renewLease(
  { id, holder }: ClaimedFile,
  { database: { sql } }: Parts,
): Promise<boolean> {
  const renewed = await sql`
    update assistant_files set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and lease_holder = ${holder} returning id`;
  return renewed.length > 0;
}

export async function noteStage(
  { id, holder }: ClaimedFile,
  stage: string,
  { database: { sql } }: Parts,
): Promise<void> {
  await sql`update assistant_files set stage = ${stage}::processing_stage where id = ${id} and lease_holder = ${holder}`;
}

/** Gives the file back as if nobody had begun. */
export async function giveBack(
  { id, holder }: ClaimedFile,
  { database: { sql } }: Parts,
): Promise<void> {
  await sql`
    update assistant_files set status = 'PENDING', stage = null, reserved_passages = 0, lease_holder = null, lease_until = null, attempts = attempts - 1
    where id = ${id} and lease_holder = ${holder}`;
}

/**
 * Lets the file wait for its next attempt; whether this one counts against it depends on whose
 * fault it was.
 */
export async function postpone(
  { id, holder }: ClaimedFile,
  { seconds, isCounted }: { seconds: number; isCounted: boolean },
  { database: { sql } }: Parts,
): Promise<void> {
  await sql`
    update assistant_files set status = 'PENDING', stage = null, reserved_passages = 0, lease_holder = null, lease_until = null,
      attempts = attempts - ${isCounted ? 0 : 1}, next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds})
    where id = ${id} and lease_holder = ${holder}`;
}
