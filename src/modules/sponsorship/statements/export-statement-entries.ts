import type { Database } from '../../../platform/database/database.ts';
import {
  entriesOf,
  entryColumns,
  entryJoins,
  type StatementEntry,
  type StatementScope,
} from './statement-entry.ts';

/** How many entries one statement reads. */
export const entryBatchMax = 250;

/**
 * Reads all entries of a statement, oldest first, in batches. Each batch is a statement of its own
 * that begins after the last entry of the one before, and is read when the reader asks for it: a
 * slow reader occupies no connection, and memory holds one batch.
 */
export async function* exportStatementEntries(
  { signal, ...scope }: StatementScope & { signal: AbortSignal },
  { database }: { database: Database },
): AsyncGenerator<StatementEntry[], void> {
  let last: StatementEntry | undefined;
  do {
    signal.throwIfAborted();
    const entries = entriesOf(scope, { after: last, limit: entryBatchMax });
    const rows = await database.searchSql<StatementEntry>`
      select ${entryColumns}
      from (select * from ${entries} entries order by at, id limit ${entryBatchMax}) e
      ${entryJoins}
      order by e.at, e.id`;
    if (rows.length > 0) yield rows;
    last = rows.length < entryBatchMax ? undefined : rows.at(-1);
  } while (last);
}
