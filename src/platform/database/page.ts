import { type Fragment, fragment, rowLimit } from './sql.ts';

export type Page<Item> = {
  items: Item[];
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
};
export type PageInput = { page: number; pageSize: number };

export const offsetOf = ({ page, pageSize }: PageInput): number =>
  Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);

export const toPage = <Item>(
  items: Item[],
  total: number,
  { page, pageSize }: PageInput,
): Page<Item> => ({ items, total, page, pageSize, totalPages: Math.ceil(total / pageSize) });

// From this offset on it is faster to skip ids in an index-only scan, from whichever end of the
// list is nearer, and to read only the rows of the page itself.
const farOffsetMin = 1_000;

/**
 * Ends a subquery so that Postgres evaluates its totals once: without `offset 0` it may evaluate
 * them for each row of the page.
 */
export const evaluateOnce = fragment`offset 0`;

export const hasFarOffset = (input: PageInput): boolean => offsetOf(input) >= farOffsetMin;

/**
 * Where the rows of a page come from: a table, the condition that ties a row to its owner `c`, the
 * column that orders them, and the alias of the joined row.
 */
type PageSource = { table: Fragment; condition: Fragment; orderColumn: Fragment; alias: Fragment };

/**
 * SQL that joins to each owner `c` the rows of its page, newest first. The subquery `c` must have
 * the owner's stored `total`.
 */
export function joinPageRows(
  { table, condition, orderColumn, alias }: PageSource,
  { page, pageSize }: PageInput,
): Fragment {
  const offset = offsetOf({ page, pageSize });
  const limit = rowLimit(pageSize);
  if (offset === 0)
    return fragment`left join lateral (select * from ${table} where ${condition} order by ${orderColumn} desc, id desc limit ${limit}) ${alias} on true`;
  if (!hasFarOffset({ page, pageSize }))
    return fragment`left join lateral (select * from ${table} where ${condition} order by ${orderColumn} desc, id desc limit ${limit} offset ${offset}) ${alias} on true`;
  return fragment`
    left join lateral (
      (select id, ${orderColumn} as at from ${table} where ${condition} order by ${orderColumn} desc, id desc
       limit case when ${offset}::bigint <= c.total / 2 then ${limit} else 0 end offset ${offset}::bigint)
      union all
      (select id, ${orderColumn} as at from ${table} where ${condition} order by ${orderColumn}, id
       limit case when ${offset}::bigint > c.total / 2 then greatest(0, least(${limit}, c.total - ${offset}::bigint)) else 0 end
       offset greatest(0, c.total - ${offset}::bigint - ${limit}))
    ) page_row on true
    left join lateral (select * from ${table} where id = page_row.id limit 1) ${alias} on true`;
}

/**
 * A row of one page among the pages of several owners. A page without items has one row with only
 * the owner and the total.
 */
export type PageRow<Item extends { id: string }> = { ownerId?: string; total: number } & (
  | Item
  | { id: null }
);

/** The columns of the owner `c`. With a single owner the id is omitted: every row belongs to it. */
export const ownerColumns = (ownerIds: readonly string[]): Fragment =>
  ownerIds.length === 1 ? fragment`c.total` : fragment`c.id as "ownerId", c.total`;

/** The pages of these owners, in their order; undefined for an owner without a row. */
export function pagesOf<Item extends { id: string }>(
  rows: PageRow<Item>[],
  ownerIds: readonly string[],
  input: PageInput,
): (Page<Item> | undefined)[] {
  if (ownerIds.length === 1) return [rows.length > 0 ? pageOf(rows, input) : undefined];
  const rowsByOwner = Map.groupBy(rows, ({ ownerId }) => ownerId);
  return ownerIds.map((ownerId) => {
    const ownerRows = rowsByOwner.get(ownerId);
    return ownerRows && pageOf(ownerRows, input);
  });
}

const pageOf = <Item extends { id: string }>(rows: PageRow<Item>[], input: PageInput): Page<Item> =>
  toPage(rows.filter(isItem), rows[0]?.total ?? 0, input);

const isItem = <Item extends { id: string }>(row: PageRow<Item>): row is PageRow<Item> & Item =>
  row.id !== null;
