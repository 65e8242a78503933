import type { Database } from '../../platform/database/database.ts';

type ReservePassagesInput = { fileId: string; passagesLimit: number };

// The vault's default limit for one document.
const perFileMax = 200_000;

/**
 * Reserves passages of the quota for a file that is about to be processed, and returns how many.
 * They stay reserved until the file's own number of passages is known. Returns null if the
 * reservations of other files in processing do not leave enough; the caller retries later.
 */
export async function reservePassages(
  { fileId, passagesLimit }: ReservePassagesInput,
  { database: { sql } }: { database: Database },
): Promise<number | null> {
  // The statement begins with `with`, because one that begins with `select` may share its
  // transaction with other reads.
  const [row] = await sql<{ reserved: number | null }>`
    with reservation as (select reserve_passages(${fileId}, ${perFileMax}::bigint, ${passagesLimit}::bigint) as reserved)
    select reserved::float8 as reserved from reservation`;
  return row?.reserved ?? null;
}
