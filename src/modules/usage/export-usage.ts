import type { Database } from '../../platform/database/database.ts';
import { selectUsage, type UsageRow } from './read-usage.ts';
import { dayAfter, type UsageQuery } from './usage-query.ts';

/** How many rows an event has at most. */
export const exportBatchMax = 500;
/** How many days one statement reads, so that memory does not hold the rows of a year. */
const daysPerStatement = 7;

/**
 * Reads all rows in batches, in the order of a page of JSON. With days, a statement reads a week.
 * It is executed when the reader asks for its rows.
 */
export async function* exportUsage(
  query: UsageQuery & { signal: AbortSignal },
  { database }: { database: Database },
): AsyncGenerator<UsageRow[], void> {
  const { from, until, groupBy, signal } = query;
  for (let start = from; start < until; ) {
    signal.throwIfAborted();
    const weekEnd = dayAfter(start, daysPerStatement);
    const end = groupBy.includes('DAY') && weekEnd < until ? weekEnd : until;
    const rows = await selectUsage(
      { ...query, from: start, until: end, rowsMax: null },
      { database },
    );
    for (let first = 0; first < rows.length; first += exportBatchMax) {
      signal.throwIfAborted();
      yield rows.slice(first, first + exportBatchMax);
    }
    start = end;
  }
}
