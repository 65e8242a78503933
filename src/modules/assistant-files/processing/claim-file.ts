import type { Database } from '../../../platform/database/database.ts';
import { type AssistantFile, assistantFileColumns } from '../assistant-file.ts';

type Parts = { database: Database };

/** A file that this process alone may process, until its lease ends. */
export type ClaimedFile = AssistantFile & { holder: string; attempts: number };

// By the database's clock, which all processes share.
const leaseSeconds = 20;
export const renewEveryMs = 5_000;

/** The file that has waited longest: one that was uploaded, whose next attempt is due, or whose holder has died. */
export async function claimFile(holder: string, { database: { sql } }: Parts): Promise<ClaimedFile | undefined> {
  const [claimed] = await sql<ClaimedFile>`
    update assistant_files f
    set status = 'PROCESSING', stage = null, lease_holder = ${holder}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
      attempts = attempts + 1, next_attempt_at = null
    where f.id = (
      select id from assistant_files
      where (status = 'PENDING' and (next_attempt_at is null or next_attempt_at <= clock_timestamp()))
        or (status = 'PROCESSING' and lease_until < clock_timestamp())
      order by created_at, id limit 1 for update skip locked)
    returning ${assistantFileColumns}, f.lease_holder as holder, f.attempts`;
  return claimed;
}

/** False where the file is another's by now, or gone. */
export async function renewLease({ id, holder }: ClaimedFile, { database: { sql } }: Parts): Promise<boolean> {
  const renewed = await sql`
    update assistant_files set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and lease_holder = ${holder} returning id`;
  return renewed.length > 0;
}

export async function noteStage({ id, holder }: ClaimedFile, stage: string, { database: { sql } }: Parts): Promise<void> {
  await sql`update assistant_files set stage = ${stage}::processing_stage where id = ${id} and lease_holder = ${holder}`;
}

/** Gives the file back as if nobody had begun. */
export async function giveBack({ id, holder }: ClaimedFile, { database: { sql } }: Parts): Promise<void> {
  await sql`
    update assistant_files set status = 'PENDING', stage = null, lease_holder = null, lease_until = null, attempts = attempts - 1
    where id = ${id} and lease_holder = ${holder}`;
}

/** Lets the file wait for its next attempt; whether this one counts against it depends on whose fault it was. */
export async function postpone(
  { id, holder }: ClaimedFile,
  { seconds, isCounted }: { seconds: number; isCounted: boolean },
  { database: { sql } }: Parts,
): Promise<void> {
  await sql`
    update assistant_files set status = 'PENDING', stage = null, lease_holder = null, lease_until = null,
      attempts = attempts - ${isCounted ? 0 : 1}, next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds})
    where id = ${id} and lease_holder = ${holder}`;
}
