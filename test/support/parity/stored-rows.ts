import type { Database } from '../../../src/platform/database/database.ts';

/**
 * Columns with the time of the database, with a random value that each fixture makes anew, or that
 * the totals of usage set in the background.
 */
const notCompared = [
  ...['last_used_at', 'updated_at', 'slug', 'reservation_id', 'last_reservation_id'],
  'is_counted',
  'share_token_hash',
];

/**
 * A trigger writes the rows of deleted attachments, at the time of the database. The transaction of
 * an audit entry and its position are the database's as well.
 */
const notComparedOf: Readonly<Record<string, readonly string[]>> = {
  audit_entries: ['tx_id', 'position'],
  file_removals: ['created_at'],
  // The database chooses it at random.
  links: ['short_code'],
  // Secrets are random, and positions in the feed and the order of deliveries the database's.
  webhook_endpoints: [
    'encrypted_secret',
    'encrypted_previous_secret',
    'cursor',
    'next_transaction',
  ],
  webhook_deliveries: ['sequence'],
};

const statements = new WeakMap<Database, Promise<string>>();

/** A statement that reads every row of every table. The tables are looked up once. */
function rowsStatement(database: Database): Promise<string> {
  let statement = statements.get(database);
  if (!statement) {
    statement = buildStatement(database);
    statements.set(database, statement);
  }
  return statement;
}

async function buildStatement({ prisma }: Database): Promise<string> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('_prisma_migrations', 'schema_usage', 'document_usage', 'idempotent_requests', 'counter_deltas', 'redemption_month_deltas', 'sponsorship_end_deltas', 'usage_totals')`;
  const rows = tables.map(
    ({ name }) =>
      `select '${name} ' || (to_jsonb(t) - array['${[...notCompared, ...(notComparedOf[name] ?? [])].join("', '")}']
        - case jsonb_typeof(to_jsonb(t)->'id') when 'number' then 'id' else '' end)::text as row
      from "${name}" t`,
  );
  // One value: Prisma needs more time for thousands of rows than the database. A row as text has no
  // line breaks.
  return `select string_agg(row, E'\\n') as rows from (${rows.join(' union all ')}) as all_rows`;
}

/** Every row of every table, except the records of idempotent requests, counters and totals. */
export async function rowsIn(database: Database): Promise<Set<string>> {
  const [answer] = await database.prisma.$queryRawUnsafe<{ rows: string | null }[]>(
    await rowsStatement(database),
  );
  return new Set(answer?.rows?.split('\n'));
}

/** The totals of the counters. Their rows differ, because writers fold them now and then. */
export async function countersIn({ prisma }: Database): Promise<Map<string, number>> {
  const totals = await prisma.$queryRaw<{ name: string; total: number }[]>`
    select counter || ' of ' || owner_id as name, sum(delta)::float8 as total
    from counter_deltas group by 1 having sum(delta) <> 0`;
  return new Map(totals.map(({ name, total }) => [name, total]));
}
