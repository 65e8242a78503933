import type { Database } from '../../platform/database/database.ts';

type Asked = { fileId: string; passagesLimit: number };

// As many as a vault takes for one document by default.
const perFileMax = 200_000;

/**
 * How many passages a file that is about to be read may have; they are set aside until it is known
 * how many it has. Null where other files of the organization are being read at the moment, and may
 * take what is left.
 */
export async function reservePassages(
  { fileId, passagesLimit }: Asked,
  { database: { sql } }: { database: Database },
): Promise<number | null> {
  // It begins with `with`: a statement that begins with `select` may share its transaction with
  // other reads.
  const [row] = await sql<{ reserved: number | null }>`
    with reservation as (select reserve_passages(${fileId}, ${perFileMax}::bigint, ${passagesLimit}::bigint) as reserved)
    select reserved::float8 as reserved from reservation`;
  return row?.reserved ?? null;
}
