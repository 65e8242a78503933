import type { Prisma } from '../../../src/platform/database/generated/client.ts';

type SqlClient = Pick<Prisma.TransactionClient, '$queryRawUnsafe' | '$executeRawUnsafe'>;

export type TableColumn = {
  table: string;
  column: string;
  type: string;
  isList: boolean;
  isNullable: boolean;
};

/**
 * The condition that selects a tenant's rows, for tables without a column `organization_id`. `$1`
 * is the id of the organization.
 */
const ownershipConditions: Record<string, string> = {
  organizations: 't.id = $1',
  users: 't.id in (select user_id from memberships where organization_id = $1)',
  accounts: 't.user_id in (select user_id from memberships where organization_id = $1)',
  sessions: 't.user_id in (select user_id from memberships where organization_id = $1)',
  authenticator_apps: 't.user_id in (select user_id from memberships where organization_id = $1)',
  passkeys: 't.user_id in (select user_id from memberships where organization_id = $1)',
  recovery_codes: 't.user_id in (select user_id from memberships where organization_id = $1)',
  // Failed sign-ins and requests for a password reset by strangers are recorded in the audit log of
  // the person's organization, so these rows may change. The background adds the others.
  audit_entries: `t.organization_id = $1 and t.action not in ('fail-sign-in', 'request-password-reset',
    'complete-file', 'fail-file', 'announce-key-expiry', 'announce-redemption-end', 'end-redemption')`,
  // Rows for sign-ups and resets in progress. Canaries replace their identifier, so the id refers
  // to the tenant.
  verifications: `t.id = 'verification-' || $1`,
  counter_deltas: `t.owner_id = $1 or t.owner_id in (select id from campaigns where organization_id = $1)
    or t.owner_id in (select id from teams where organization_id = $1)`,
};

const tablesWithoutTenant = new Set([
  'receipt_keys',
  'schema_usage',
  'document_usage',
  'usage_erasures',
  '_prisma_migrations',
]);

/**
 * Every column of every table that can hold rows of a tenant. They are read from the catalogue, so
 * that new tables are included automatically.
 */
export async function columnsIn(prisma: SqlClient): Promise<TableColumn[]> {
  const columns = await prisma.$queryRawUnsafe<TableColumn[]>(`
    select c.relname::text as "table", a.attname::text as "column", t.typcategory = 'A' as "isList", not a.attnotnull as "isNullable",
      coalesce(e.typname, t.typname)::text as type
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, 2`);
  const tablesWithOrganization = new Set(
    columns.filter(({ column }) => column === 'organization_id').map(({ table }) => table),
  );
  const unknown = columns.find(
    ({ table }) =>
      !tablesWithoutTenant.has(table) &&
      !tablesWithOrganization.has(table) &&
      ownershipConditions[table] === undefined,
  );
  if (unknown)
    throw new Error(
      `The owner of rows in ${unknown.table} is unknown: add the table to ownershipConditions`,
    );
  return columns.filter(({ table }) => !tablesWithoutTenant.has(table));
}

/** The SQL condition under which a row `t` of this table belongs to the tenant `$1`. */
export const isOwnedBy = (table: string): string =>
  `(${ownershipConditions[table] ?? 't.organization_id = $1'})`;

/**
 * The background extends the tree over the audit log, and sends the notices of webhooks, so these
 * rows change by themselves.
 */
const tablesOfBackground = new Set([
  ...['audit_trees', 'audit_leaves', 'audit_nodes', 'audit_checkpoints'],
  'webhook_notices',
]);

/** The background changes these columns by itself. */
const columnsOfBackground: Record<string, string[]> = {
  file_removals: ['attempts', 'lease_until', 'next_attempt_at'],
  webhook_deliveries: ['lease_until'],
};

/** The number of a tenant's rows and their checksum, for each table. */
export async function tableChecksums(
  prisma: SqlClient,
  organizationId: string,
): Promise<Map<string, string>> {
  const checksums = new Map<string, string>();
  const tables = new Set((await columnsIn(prisma)).map((column) => column.table));
  for (const table of [...tables].filter((name) => !tablesOfBackground.has(name))) {
    const omitted = columnsOfBackground[table];
    const row = omitted ? `(to_jsonb(t) - '{${omitted.join(',')}}'::text[])::text` : 't::text';
    const [found] = await prisma.$queryRawUnsafe<{ checksum: string }[]>(
      `select count(*) || ' rows, ' || coalesce(md5(string_agg(${row}, '|' order by ${row})), 'empty') as checksum from "${table}" t where ${isOwnedBy(table)}`,
      organizationId,
    );
    checksums.set(table, found?.checksum ?? 'unread');
  }
  return checksums;
}

/** The ids of a tenant's rows, for each table with a text id. */
export async function idsByTable(
  prisma: SqlClient,
  organizationId: string,
): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const { table } of (await columnsIn(prisma)).filter(
    ({ column, type }) => column === 'id' && type === 'text',
  )) {
    const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(
      `select t.id from "${table}" t where ${isOwnedBy(table)} order by t.id`,
      organizationId,
    );
    ids.set(
      table,
      rows.map(({ id }) => id),
    );
  }
  return ids;
}
