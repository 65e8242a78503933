import type { Database } from '../../../src/platform/database/database.ts';

/** Columns with the time of the database, or with a random value that each fixture makes anew. */
const notCompared = ['last_used_at', 'updated_at', 'slug', 'reservation_id', 'last_reservation_id'];

/** Every row of every table, except the records of idempotent requests and the counters. */
export async function rowsIn({ prisma }: Database): Promise<Set<string>> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('_prisma_migrations', 'schema_usage', 'idempotent_requests', 'counter_deltas', 'redemption_month_deltas')`;
  const statement = tables
    .map(
      ({ name }) =>
        `select '${name} ' || (to_jsonb(t) - array['${notCompared.join("', '")}']
          - case jsonb_typeof(to_jsonb(t)->'id') when 'number' then 'id' else '' end)::text as row
        from "${name}" t`,
    )
    .join(' union all ');
  const rows = await prisma.$queryRawUnsafe<{ row: string }[]>(statement);
  return new Set(rows.map(({ row }) => row));
}

/** The totals of the counters. Their rows differ, because writers fold them now and then. */
export async function countersIn({ prisma }: Database): Promise<Map<string, number>> {
  const totals = await prisma.$queryRaw<{ name: string; total: number }[]>`
    select counter || ' of ' || owner_id as name, sum(delta)::float8 as total
    from counter_deltas group by 1 having sum(delta) <> 0`;
  return new Map(totals.map(({ name, total }) => [name, total]));
}
