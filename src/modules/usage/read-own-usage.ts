import type { Sql } from '../../platform/database/database.ts';

/** What the runs of a person have used in each organization, by day. */
export type OwnUsage = {
  organizationId: string;
  day: string;
  runs: number;
  promptTokens: number;
  completionTokens: number;
};

/** Reads the usage of a person in all their organizations, for the export of their data. */
export const readOwnUsage = (userId: string, sql: Sql): Promise<OwnUsage[]> => sql<OwnUsage>`
  select organization_id as "organizationId", (at at time zone 'UTC')::date::text as day, count(*) filter (where step = 1)::int as runs,
    sum(prompt_tokens)::float8 as "promptTokens", sum(completion_tokens)::float8 as "completionTokens"
  from usage_entries where user_id = ${userId} group by 1, 2 order by 1, 2`;
