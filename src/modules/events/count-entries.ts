import type { Database } from '../../platform/database/database.ts';
import { readHorizon } from './read-feed.ts';

type EntryReader = { organizationId: string; horizon: string };

/** The entries of an organization from a transaction on. */
export type EntryCount = {
  total: number;
  /** Those of transactions before which every transaction has ended. */
  ended: number;
  targetTypes: readonly string[];
};

/**
 * Counts the entries that are new to several readers. `counts` has the index of each reader that has
 * some, and `end` is the transaction before which every transaction has ended.
 */
export const createEntryCounts =
  ({ database: { unscoped } }: { database: Database }) =>
  async (
    readers: readonly EntryReader[],
  ): Promise<{ counts: ReadonlyMap<number, EntryCount>; end: string }> => {
    const end = await readHorizon(unscoped);
    // Readers belong to several organizations, so the statement has no tenant scope.
    const rows = await unscoped.sql<EntryCount & { index: number }>`
      select w.index::int as index, count(*)::int as total, (count(*) filter (where e.tx_id < ${end}::bigint))::int as ended,
        array_agg(distinct e.target_type) as "targetTypes"
      from unnest(${readers.map(({ organizationId }) => organizationId)}::text[], ${readers.map(({ horizon }) => horizon)}::bigint[])
        with ordinality as w (organization_id, horizon, index)
      join audit_entries e on e.organization_id = w.organization_id and e.tx_id >= w.horizon
      group by w.index`;
    return { counts: new Map(rows.map(({ index, ...count }) => [index - 1, count])), end };
  };
