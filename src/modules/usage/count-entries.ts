import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { inTransaction } from '../../platform/database/transaction.ts';

/** How many entries one transaction adds to the totals. */
const batchMax = 5_000;

/**
 * Adds all entries that the kept totals do not contain yet, in batches. They belong to several
 * organizations, so it is called with the unscoped database. Returns false if another process is
 * adding entries at the moment, which may miss the newest ones.
 */
export async function countEntries({ database }: { database: Database }): Promise<boolean> {
  for (;;) {
    const counted = await countBatch(database);
    if (counted === undefined) return false;
    if (counted < batchMax) return true;
  }
}

/** Returns how many entries it added; undefined if another process has the lock. */
const countBatch = (database: Database): Promise<number | undefined> =>
  inTransaction(database, async (tx) => {
    if (!(await tryLockTotals(tx))) return undefined;
    // The cost of a total without any known cost stays null: a sum ignores null.
    const [row] = await tx.sql<{ counted: number }>`
      with counted as (
        update usage_entries e set is_counted = true, user_id = (select id from users where id = e.user_id)
        from (select run_id, step from usage_entries where not is_counted limit ${batchMax}::int for update) batch
        where e.run_id = batch.run_id and e.step = batch.step returning e.*),
      totals as (
        insert into usage_totals (organization_id, dimension, day, value, runs, steps, prompt_tokens, completion_tokens, cached_tokens, embedding_tokens, cost)
        select c.organization_id, d.dimension::usage_dimension, (c.at at time zone 'UTC')::date, coalesce(d.value, ''),
          count(*) filter (where c.step = 1), count(*), sum(c.prompt_tokens), sum(c.completion_tokens), sum(c.cached_tokens), sum(c.embedding_tokens), sum(c.cost)
        from counted c
        cross join lateral (values ('ORGANIZATION', ''), ('USER', c.user_id), ('ASSISTANT', c.assistant_id), ('KEY', c.key_id), ('MODEL', c.model)) d(dimension, value)
        group by 1, 2, 3, 4
        on conflict (organization_id, dimension, day, value) do update set
          runs = usage_totals.runs + excluded.runs, steps = usage_totals.steps + excluded.steps,
          prompt_tokens = usage_totals.prompt_tokens + excluded.prompt_tokens,
          completion_tokens = usage_totals.completion_tokens + excluded.completion_tokens,
          cached_tokens = usage_totals.cached_tokens + excluded.cached_tokens,
          embedding_tokens = usage_totals.embedding_tokens + excluded.embedding_tokens,
          cost = case when usage_totals.cost is null then excluded.cost else usage_totals.cost + coalesce(excluded.cost, 0) end)
      select count(*)::int as counted from counted`;
    return row?.counted ?? 0;
  });

const totalsLock = 'usage totals';

/** One process at a time adds entries, so that batches do not wait for each other's rows. */
async function tryLockTotals({ sql }: Pick<Transaction, 'sql'>): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${totalsLock}, 0)) as "isLocked"`;
  return row?.isLocked === true;
}

/** Waits until no entries are being added, and keeps it so until the transaction ends. */
export const lockTotals = ({ enqueue }: Pick<Transaction, 'enqueue'>): void =>
  enqueue`select pg_advisory_xact_lock(hashtextextended(${totalsLock}, 0))`;
