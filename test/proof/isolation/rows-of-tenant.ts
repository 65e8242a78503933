import type { Prisma } from '../../../src/platform/database/generated/client.ts';

type Sql = Pick<Prisma.TransactionClient, '$queryRawUnsafe' | '$executeRawUnsafe'>;

export type Column = {
  table: string;
  column: string;
  type: string;
  isList: boolean;
  isNullable: boolean;
};

/**
 * Which rows are a tenant's, where the table does not name the organization itself. `$1` is the
 * organization's id.
 */
const ownership: Record<string, string> = {
  organizations: 't.id = $1',
  users: 't.id in (select user_id from memberships where organization_id = $1)',
  accounts: 't.user_id in (select user_id from memberships where organization_id = $1)',
  sessions: 't.user_id in (select user_id from memberships where organization_id = $1)',
  authenticator_apps: 't.user_id in (select user_id from memberships where organization_id = $1)',
  passkeys: 't.user_id in (select user_id from memberships where organization_id = $1)',
  recovery_codes: 't.user_id in (select user_id from memberships where organization_id = $1)',
  // Whoever tries a password or asks for a link at somebody's address leaves a line in the log of
  // that person's organization.
  audit_entries: `t.organization_id = $1 and t.action not in ('fail-sign-in', 'request-password-reset')`,
  // Rows of people who are on their way: what they are about names nobody any more once it is a
  // canary, so the id does.
  verifications: `t.id = 'verification-' || $1`,
  counter_deltas: `t.owner_id = $1 or t.owner_id in (select id from campaigns where organization_id = $1)
    or t.owner_id in (select id from teams where organization_id = $1)`,
};

const notOfATenant = new Set(['_prisma_migrations']);

/**
 * Every column of every table that can hold rows of a tenant: read from the database, so that a new
 * one is there by itself.
 */
export async function columnsIn(prisma: Sql): Promise<Column[]> {
  const columns = await prisma.$queryRawUnsafe<Column[]>(`
    select c.relname::text as "table", a.attname::text as "column", t.typcategory = 'A' as "isList", not a.attnotnull as "isNullable",
      coalesce(e.typname, t.typname)::text as type
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, 2`);
  const named = new Set(
    columns.filter(({ column }) => column === 'organization_id').map(({ table }) => table),
  );
  const unknown = columns.find(
    ({ table }) => !notOfATenant.has(table) && !named.has(table) && ownership[table] === undefined,
  );
  if (unknown)
    throw new Error(`Nobody knows whose the rows of ${unknown.table} are: say so in ownership`);
  return columns.filter(({ table }) => !notOfATenant.has(table));
}

/** The condition under which a row `t` of this table is the tenant's. */
export const isTheirs = (table: string): string =>
  `(${ownership[table] ?? 't.organization_id = $1'})`;

/** A checksum of a tenant's rows for each table, and how many there are. */
export async function fingerprintsOf(
  prisma: Sql,
  organizationId: string,
): Promise<Map<string, string>> {
  const prints = new Map<string, string>();
  for (const table of new Set((await columnsIn(prisma)).map((column) => column.table))) {
    const [row] = await prisma.$queryRawUnsafe<{ print: string }[]>(
      `select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), 'none') as print from "${table}" t where ${isTheirs(table)}`,
      organizationId,
    );
    prints.set(table, row?.print ?? 'unread');
  }
  return prints;
}

/** The ids of a tenant's rows, for each table that has ids. */
export async function idsOf(prisma: Sql, organizationId: string): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const { table } of (await columnsIn(prisma)).filter(
    ({ column, type }) => column === 'id' && type === 'text',
  )) {
    const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(
      `select t.id from "${table}" t where ${isTheirs(table)} order by t.id`,
      organizationId,
    );
    ids.set(
      table,
      rows.map(({ id }) => id),
    );
  }
  return ids;
}
