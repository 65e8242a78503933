import { type Fragment, fragment, rowLimit } from '../../platform/database/sql.ts';

export type Page<Item> = {
  items: Item[];
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
};
export type Asked = { page: number; pageSize: number };

export const offsetOf = ({ page, pageSize }: Asked): number =>
  Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);

// From here on it pays to skip rows in the index, which holds no more than the ids, and from the
// end that is nearer.
const farOffset = 1_000;

/**
 * Ends a subquery whose totals are to be looked up once: without it Postgres may do so for each row
 * of the page.
 */
export const once = fragment`offset 0`;

export const isFar = (asked: Asked): boolean => offsetOf(asked) >= farOffset;

type Rows = { table: Fragment; of: Fragment; at: Fragment; as: Fragment };

/**
 * The rows of a page, newest first, of what belongs to each owner `c`, whose `total` is kept: to be
 * joined to it.
 */
export function rowsOfPage({ table, of, at, as }: Rows, { page, pageSize }: Asked): Fragment {
  const offset = offsetOf({ page, pageSize });
  const limit = rowLimit(pageSize);
  if (offset === 0)
    return fragment`left join lateral (select * from ${table} where ${of} order by ${at} desc, id desc limit ${limit}) ${as} on true`;
  if (!isFar({ page, pageSize }))
    return fragment`left join lateral (select * from ${table} where ${of} order by ${at} desc, id desc limit ${limit} offset ${offset}) ${as} on true`;
  return fragment`
    left join lateral (
      (select id, ${at} as at from ${table} where ${of} order by ${at} desc, id desc
       limit case when ${offset}::bigint <= c.total / 2 then ${limit} else 0 end offset ${offset}::bigint)
      union all
      (select id, ${at} as at from ${table} where ${of} order by ${at}, id
       limit case when ${offset}::bigint > c.total / 2 then greatest(0, least(${limit}, c.total - ${offset}::bigint)) else 0 end
       offset greatest(0, c.total - ${offset}::bigint - ${limit}))
    ) place on true
    left join lateral (select * from ${table} where id = place.id limit 1) ${as} on true`;
}

/**
 * A row of one page among several. A page without items has one row of which only owner and total
 * are there.
 */
export type PageRow<Item extends { id: string }> = { ownerId?: string; total: number } & (
  | Item
  | { id: null }
);

/** What is read of the owner `c`: which one it is needs no saying where one alone is asked for. */
export const ownerColumns = (ownerIds: readonly string[]): Fragment =>
  ownerIds.length === 1 ? fragment`c.total` : fragment`c.id as "ownerId", c.total`;

/** The pages of these owners, in their order; undefined for an owner of whom there is no row. */
export function pagesOf<Item extends { id: string }>(
  rows: PageRow<Item>[],
  ownerIds: readonly string[],
  asked: Asked,
): (Page<Item> | undefined)[] {
  if (ownerIds.length === 1) return [rows.length > 0 ? pageOf(rows, asked) : undefined];
  const byOwner = Map.groupBy(rows, ({ ownerId }) => ownerId);
  return ownerIds.map((ownerId) => {
    const own = byOwner.get(ownerId);
    return own && pageOf(own, asked);
  });
}

function pageOf<Item extends { id: string }>(
  rows: PageRow<Item>[],
  { page, pageSize }: Asked,
): Page<Item> {
  const total = rows[0]?.total ?? 0;
  return {
    items: rows.filter(isItem),
    total,
    page,
    pageSize,
    totalPages: Math.ceil(total / pageSize),
  };
}

const isItem = <Item extends { id: string }>(row: PageRow<Item>): row is PageRow<Item> & Item =>
  row.id !== null;
