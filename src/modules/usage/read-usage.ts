import type { Sql } from '../../platform/database/database.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { inputError } from '../../platform/errors.ts';
import { isKept, type UsageGroup, type UsageQuery, valuesIn } from './usage-query.ts';

/** The usage of one combination of the values that it is grouped by; null where it is not. */
export type UsageRow = {
  day: string | null;
  assistantId: string | null;
  userId: string | null;
  keyId: string | null;
  model: string | null;
  runs: number;
  steps: number;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  embeddingTokens: number;
  cost: number | null;
};

const rowsMax = 20_000;

/** Reads usage, ordered by day and then by the values. Throws if it has too many rows. */
export async function readUsage(
  query: UsageQuery,
  { database }: { database: { sql: Sql } },
): Promise<UsageRow[]> {
  const rows = await selectUsage({ ...query, rowsMax: rowsMax + 1 }, { database });
  if (rows.length > rowsMax)
    throw inputError(
      'groupBy',
      'INVALID',
      `groupBy gives more than ${rowsMax.toLocaleString('en')} rows: shorten the range, group by less, or ask for CSV`,
      'TOO_MANY_ROWS',
    );
  return rows;
}

/** `rowsMax` null: all rows. */
export function selectUsage(
  query: UsageQuery & { rowsMax: number | null },
  { database: { sql } }: { database: { sql: Sql } },
): Promise<UsageRow[]> {
  const groups = (group: UsageGroup) => query.groupBy.includes(group);
  const value = (group: UsageGroup, column: Fragment) =>
    groups(group) ? column : fragment`null::text`;
  // Days are sorted as dates, and values byte by byte: sorting by the rules of a language takes
  // longer than all else.
  return sql<UsageRow>`
    select day::text as day, assistant_id as "assistantId", user_id as "userId", key_id as "keyId", model,
      sum(runs)::float8 as runs, sum(steps)::float8 as steps, sum(prompt_tokens)::float8 as "promptTokens",
      sum(completion_tokens)::float8 as "completionTokens", sum(cached_tokens)::float8 as "cachedTokens",
      sum(embedding_tokens)::float8 as "embeddingTokens", sum(cost)::float8 as cost
    from (
      select ${groups('DAY') ? fragment`day` : fragment`null::date as day`},
        ${value('ASSISTANT', fragment`assistant_id`)} collate "C" as assistant_id, ${value('USER', fragment`user_id`)} collate "C" as user_id,
        ${value('KEY', fragment`key_id`)} collate "C" as key_id, ${value('MODEL', fragment`model`)} collate "C" as model,
        runs, steps, prompt_tokens, completion_tokens, cached_tokens, embedding_tokens, cost
      from (${isKept(query) ? keptUsage(query) : usageOfEntries(query, fragment`true`)}) kept) usage
    group by usage.day, assistant_id, user_id, key_id, model
    order by usage.day, assistant_id, user_id, key_id, model limit ${query.rowsMax}::int`;
}

/** The kept totals of a dimension, and the entries that they do not contain yet. */
function keptUsage(query: UsageQuery): Fragment {
  const { organizationId, userId, from, until } = query;
  const dimension = userId === undefined ? (valuesIn(query)[0] ?? 'ORGANIZATION') : 'USER';
  const column = (name: UsageGroup) =>
    dimension === name ? fragment`nullif(value, '')` : fragment`null::text`;
  return fragment`
    select day, ${column('ASSISTANT')} as assistant_id, ${column('USER')} as user_id, ${column('KEY')} as key_id, ${column('MODEL')} as model,
      runs, steps, prompt_tokens, completion_tokens, cached_tokens, embedding_tokens, cost
    from usage_totals
    where organization_id = ${organizationId} and dimension = ${dimension}::usage_dimension and day >= ${from}::date and day < ${until}::date
      ${userId === undefined ? fragment`` : fragment`and value = ${userId}`}
    union all ${usageOfEntries(query, fragment`not is_counted`)}`;
}

const usageOfEntries = (
  { organizationId, userId, from, until }: UsageQuery,
  condition: Fragment,
): Fragment => fragment`
  select (at at time zone 'UTC')::date as day, assistant_id, user_id, key_id, model,
    (step = 1)::int as runs, 1 as steps, prompt_tokens, completion_tokens, cached_tokens, embedding_tokens, cost
  from usage_entries
  where organization_id = ${organizationId} and ${condition}
    and at >= ${from}::date::timestamp at time zone 'UTC' and at < ${until}::date::timestamp at time zone 'UTC'
    ${userId === undefined ? fragment`` : fragment`and user_id = ${userId}`}`;
