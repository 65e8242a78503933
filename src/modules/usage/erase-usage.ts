import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { lockTotals } from './count-entries.ts';

/**
 * Makes the usage of a person anonymous, in the transaction that deletes their account: the totals
 * stay, under no person. The entries of years can be too many for one transaction, so
 * `eraseEntries` removes the id from those that the totals already contain. An entry that a run
 * stores later loses the id when it is added to the totals.
 */
export function eraseUsage(
  { userId }: { userId: string },
  { enqueue }: Pick<Transaction, 'enqueue'>,
): void {
  lockTotals({ enqueue });
  enqueue`update usage_entries set user_id = null where user_id = ${userId} and not is_counted`;
  enqueue`
    with erased as (delete from usage_totals where dimension = 'USER' and value = ${userId} returning *)
    insert into usage_totals (organization_id, dimension, day, value, runs, steps, prompt_tokens, completion_tokens, cached_tokens, embedding_tokens, cost)
    select organization_id, dimension, day, '', runs, steps, prompt_tokens, completion_tokens, cached_tokens, embedding_tokens, cost from erased
    order by organization_id, day
    on conflict (organization_id, dimension, day, value) do update set
      runs = usage_totals.runs + excluded.runs, steps = usage_totals.steps + excluded.steps,
      prompt_tokens = usage_totals.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = usage_totals.completion_tokens + excluded.completion_tokens,
      cached_tokens = usage_totals.cached_tokens + excluded.cached_tokens,
      embedding_tokens = usage_totals.embedding_tokens + excluded.embedding_tokens,
      cost = case when usage_totals.cost is null then excluded.cost else usage_totals.cost + coalesce(excluded.cost, 0) end`;
  enqueue`insert into usage_erasures (user_id) values (${userId}) on conflict do nothing`;
}

const batchMax = 5_000;

/** Removes the ids of deleted accounts from the entries of all organizations, in batches. */
export async function eraseEntries({ database: { sql } }: { database: Database }): Promise<void> {
  for (let erased = batchMax; erased === batchMax; ) {
    const rows = await sql<{ step: number }>`
      update usage_entries e set user_id = null
      from (
        select run_id, step from usage_entries where user_id in (select user_id from usage_erasures)
        limit ${batchMax}::int for update skip locked) batch
      where e.run_id = batch.run_id and e.step = batch.step returning e.step`;
    erased = rows.length;
  }
  await sql`delete from usage_erasures x where not exists (select from usage_entries e where e.user_id = x.user_id)`;
}
