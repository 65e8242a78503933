import type { Sql } from '../../platform/database/database.ts';
import type { QuotaLimits } from './quotas.ts';

export const quotaNames = ['FILES', 'BYTES', 'PASSAGES', 'RUNS', 'UPLOADS'] as const;

export type Quota = { name: (typeof quotaNames)[number]; used: number; limit: number };

type ReadQuotasInput = { organizationId: string; limits: QuotaLimits };

/** Reads the usage and limit of each quota of an organization, in the order of `quotaNames`. */
export async function readQuotas(
  { organizationId, limits }: ReadQuotasInput,
  { database: { sql } }: { database: { sql: Sql } },
): Promise<Quota[]> {
  const rows = await sql<Quota>`
    with leases as (
      select kind, count(*) as used from quota_leases where organization_id = ${organizationId} and expires_at >= clock_timestamp() group by kind)
    select quota.name, quota.used::float8 as used, quota.quota_limit::float8 as "limit"
    from organizations o
    cross join lateral (values
      ('FILES', counted('organization.files', o.id), coalesce(o.files_max, ${limits.files}::bigint)),
      ('BYTES', counted('organization.bytes', o.id), coalesce(o.bytes_max, ${limits.bytes}::bigint)),
      ('PASSAGES', counted('organization.passages', o.id), coalesce(o.passages_max, ${limits.passages}::bigint)),
      ('RUNS', (select used from leases where kind = 'RUNS'), coalesce(o.concurrent_runs_max, ${limits.runs}::bigint)),
      ('UPLOADS', (select used from leases where kind = 'UPLOADS'), coalesce(o.concurrent_uploads_max, ${limits.uploads}::bigint))
    ) quota(name, used, quota_limit)
    where o.id = ${organizationId}`;
  return quotaNames.flatMap((name) =>
    rows.filter((row) => row.name === name).map((row) => ({ ...row, used: row.used ?? 0 })),
  );
}
