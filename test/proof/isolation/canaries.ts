import type { Database } from '../../../src/platform/database/database.ts';
import { columnsIn, isOwnedBy, type TableColumn } from './rows-of-tenant.ts';

/**
 * Columns with values that the product needs unchanged, such as ids and hashes. These values are as
 * unique as a canary, so the proof looks for them instead.
 */
const fixedFormColumns =
  /(^|_)(id|token|hash|password|storage_keys?|short_code)$|^password_hash$|^token_hash$/;
const freeTextColumns = new Set(['redemptions.billing_batch_id', 'billing_changes.batch_id']);

/** Columns with words that all tenants share and that decide what a tenant may do. */
const sharedWordColumns = new Set([
  'organizations.features',
  'accounts.provider_id',
  'counter_deltas.counter',
  'webhook_endpoints.types',
  'webhook_deliveries.event_type',
]);

const emailColumns = new Set(['users.email', 'invitations.email', 'campaigns.allowed_emails']);

export const columnName = ({ table, column }: Pick<TableColumn, 'table' | 'column'>) =>
  `${table}.${column}`;

const isText = ({ type }: TableColumn) =>
  ['text', 'varchar', 'bpchar', 'citext', 'json', 'jsonb', 'bytea'].includes(type);
const hasFixedForm = (column: TableColumn) =>
  fixedFormColumns.test(column.column) && !freeTextColumns.has(columnName(column));
const takesCanary = (column: TableColumn) =>
  isText(column) &&
  !hasFixedForm(column) &&
  !sharedWordColumns.has(columnName(column)) &&
  columnName(column) !== 'idempotent_requests.fingerprint';

/**
 * Lower-case letters, digits and hyphens, so that it is valid in a slug and in an email address.
 */
export const canaryPrefix = (
  mark: string,
  { table, column }: Pick<TableColumn, 'table' | 'column'>,
) => `${mark}-${table}-${column}`.replaceAll('_', '-');

/**
 * Writes a canary into every text column of a tenant's rows, a different one for each row and
 * column. Triggers are off meanwhile, because the audit log refuses changes. `empty` lists the
 * columns for which the tenant has no row.
 */
export async function plantCanaries(
  database: Database,
  organizationId: string,
  mark: string,
): Promise<{ planted: string[]; empty: string[] }> {
  const planted: string[] = [];
  const empty: string[] = [];
  for (const column of (await columnsIn(database.prisma)).filter(takesCanary)) {
    const plant = (condition: string) =>
      updateRows(database, organizationId, mark, column, condition);
    // A check constraint may require NULL in some rows; then only the other rows get a canary.
    const rows = column.isNullable
      ? await plant('true').catch(() => plant(`t."${column.column}" is not null`))
      : await plant('true');
    (rows > 0 ? planted : empty).push(columnName(column));
  }
  return { planted, empty };
}

function updateRows(
  database: Database,
  organizationId: string,
  mark: string,
  column: TableColumn,
  condition: string,
): Promise<number> {
  const ownRows = `${isOwnedBy(column.table)} and ${condition}`;
  return database.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe('set local session_replication_role = replica');
    return tx.$executeRawUnsafe(
      `update "${column.table}" t set "${column.column}" = ${canaryExpression(column, mark)} where ${ownRows}`,
      organizationId,
    );
  });
}

function canaryExpression(column: TableColumn, mark: string): string {
  const text = `('${canaryPrefix(mark, column)}-' || left(md5(t.ctid::text), 6))`;
  const canary = emailColumns.has(columnName(column)) ? `(${text} || '@canary.example')` : text;
  const element = column.type.startsWith('json')
    ? `jsonb_build_object('canary', ${canary})::${column.type}`
    : column.type === 'bytea'
      ? `convert_to(${canary}, 'UTF8')`
      : canary;
  return column.isList ? `array[${element}]` : element;
}

/**
 * The values that identify a tenant's rows besides canaries: ids, tokens, hashes and storage keys,
 * each with its column. Receipts have hashes of answers, and two tenants may get the same answer.
 */
export async function identifyingWords(
  { prisma }: Database,
  organizationId: string,
): Promise<Map<string, string>> {
  const words = new Map<string, string>();
  const isIdentifying = (column: TableColumn) =>
    isText(column) &&
    column.table !== 'run_receipts' &&
    hasFixedForm(column) &&
    (column.column === 'id' || !column.column.endsWith('_id'));
  for (const column of (await columnsIn(prisma)).filter(isIdentifying)) {
    const value =
      column.type === 'bytea' ? `encode(t."${column.column}", 'hex')` : `t."${column.column}"`;
    const rows = await prisma.$queryRawUnsafe<{ value: string | string[] | null }[]>(
      `select distinct ${value} as value from "${column.table}" t where ${isOwnedBy(column.table)}`,
      organizationId,
    );
    for (const word of rows.flatMap((row) => row.value ?? []).flatMap(wordsOf))
      words.set(word, columnName(column));
  }
  return words;
}

/** The words of a text that are long enough to be unique. */
export const wordsOf = (text: string): string[] => text.match(/[\w-]{20,}/g) ?? [];
