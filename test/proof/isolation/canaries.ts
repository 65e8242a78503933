import type { Database } from '../../../src/platform/database/database.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { type Column, columnsIn, isTheirs } from './rows-of-tenant.ts';

/**
 * Columns whose form the product lives by. Their own values are as rare as a canary, and are looked
 * for instead.
 */
const lookedForAsTheyAre =
  /(^|_)(id|token|hash|password|storage_keys?)$|^password_hash$|^token_hash$/;
const freeTextDespiteItsName = new Set([
  'redemptions.billing_batch_id',
  'billing_changes.batch_id',
]);

/** Words that all tenants have in common, and that what a tenant may do hangs on. */
const commonWords = new Set([
  'organizations.features',
  'accounts.provider_id',
  'counter_deltas.counter',
]);

const emailColumns = new Set(['users.email', 'invitations.email', 'campaigns.allowed_emails']);

export const nameOf = ({ table, column }: Pick<Column, 'table' | 'column'>) => `${table}.${column}`;

const isText = ({ type }: Column) =>
  ['text', 'varchar', 'bpchar', 'citext', 'json', 'jsonb', 'bytea'].includes(type);
const isKept = (column: Column) =>
  lookedForAsTheyAre.test(column.column) && !freeTextDespiteItsName.has(nameOf(column));
const isPlanted = (column: Column) =>
  isText(column) &&
  !isKept(column) &&
  !commonWords.has(nameOf(column)) &&
  nameOf(column) !== 'idempotent_requests.fingerprint';

/** Small letters, digits and hyphens: it passes for a slug and for a part of an address. */
export const canaryOf = (mark: string, { table, column }: Pick<Column, 'table' | 'column'>) =>
  `${mark}-${table}-${column}`.replaceAll('_', '-');

/**
 * Puts a canary into every text of a tenant's rows, another one for each row and column. Triggers
 * are off meanwhile: an audit log that refuses changes shall carry it as well. Gives back the
 * columns that no row of theirs could take one in.
 */
export async function plantCanaries(
  database: Database,
  organizationId: string,
  mark: string,
): Promise<{ planted: string[]; empty: string[] }> {
  const planted: string[] = [];
  const empty: string[] = [];
  for (const column of (await columnsIn(database.prisma)).filter(isPlanted)) {
    const plant = (condition: string) => put(database, organizationId, mark, column, condition);
    // A check can want a text to be absent; then it stands where there was one before.
    const rows = column.isNullable
      ? await plant('true').catch(() => plant(`t."${column.column}" is not null`))
      : await plant('true');
    (rows > 0 ? planted : empty).push(nameOf(column));
  }
  return { planted, empty };
}

function put(
  database: Database,
  organizationId: string,
  mark: string,
  column: Column,
  condition: string,
): Promise<number> {
  const theirs = `${isTheirs(column.table)} and ${condition}`;
  return inTransaction(database, async (tx) => {
    await tx.$executeRawUnsafe('set local session_replication_role = replica');
    return tx.$executeRawUnsafe(
      `update "${column.table}" t set "${column.column}" = ${termOf(column, mark)} where ${theirs}`,
      organizationId,
    );
  });
}

function termOf(column: Column, mark: string): string {
  const text = `('${canaryOf(mark, column)}-' || left(md5(t.ctid::text), 6))`;
  const written = emailColumns.has(nameOf(column)) ? `(${text} || '@canary.example')` : text;
  const one = column.type.startsWith('json')
    ? `jsonb_build_object('canary', ${written})::${column.type}`
    : column.type === 'bytea'
      ? `convert_to(${written}, 'UTF8')`
      : written;
  return column.isList ? `array[${one}]` : one;
}

/**
 * What else identifies a tenant's rows: ids, tokens, hashes, places in the storage, each with the
 * column that it stands in.
 */
export async function rareWordsOf(
  { prisma }: Database,
  organizationId: string,
): Promise<Map<string, string>> {
  const words = new Map<string, string>();
  const own = (column: Column) =>
    isText(column) && isKept(column) && (column.column === 'id' || !column.column.endsWith('_id'));
  for (const column of (await columnsIn(prisma)).filter(own)) {
    const value =
      column.type === 'bytea' ? `encode(t."${column.column}", 'hex')` : `t."${column.column}"`;
    const rows = await prisma.$queryRawUnsafe<{ value: string | string[] | null }[]>(
      `select distinct ${value} as value from "${column.table}" t where ${isTheirs(column.table)}`,
      organizationId,
    );
    for (const word of rows.flatMap((row) => row.value ?? []).flatMap(wordsOf))
      words.set(word, nameOf(column));
  }
  return words;
}

/** The words of a text that are long enough to be nobody else's by chance. */
export const wordsOf = (text: string): string[] => text.match(/[\w-]{20,}/g) ?? [];
