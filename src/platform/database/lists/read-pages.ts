import type { Database } from '../database.ts';
import { type Fragment, fragment, rowLimit } from '../sql.ts';
import { type CursorScope, positionOf, toCursor } from './cursor.ts';
import {
  comparePosition,
  keyColumns,
  type ListOrder,
  type OrderDirection,
  type OrderKey,
  orderBy,
  reverse,
} from './order.ts';
import type { Page, PageRequest } from './page.ts';

/** A list as SQL. Its condition can use the columns of the row `owner`. */
export type List = {
  /** The name of the list in cursors. */
  name: string;
  /** The table with its alias, such as `redemptions r`. */
  table: Fragment;
  alias: Fragment;
  condition: Fragment;
  order: ListOrder;
  id: OrderKey;
  /** The condition that finds one row by `page_row.row_id`; by default the id alone. */
  lookup?: Fragment;
  /**
   * SQL for the number of rows, which may use the columns of the owner's table. It is evaluated
   * only if the request needs it.
   */
  total: Fragment;
  /**
   * True if pages are never looked for from the end of the list: because `total` may be too low, or
   * because only few rows match.
   */
  isReadFromStart?: boolean;
  /** True if the statement must be planned for its values, such as those of filters. */
  isPlannedEachTime?: boolean;
};

/** The columns of a row, and the joins that they need. */
type RowSource = { columns: Fragment; joins?: Fragment };

/** The owners of several lists, such as campaigns: one page is read of the list of each of them. */
type Owners = {
  ids: readonly string[];
  /** The statement that reads the ids of the owners, with this total. */
  select: (total: Fragment) => Fragment;
};

/** An owner whose columns decide whether the caller may see the list. */
type CheckedOwner<Columns> = {
  /** The statement that reads the owner, with this total. */
  select: (total: Fragment) => Fragment;
  columns: Fragment;
  /** Throws if the list must not be shown; undefined if the statement found no owner. */
  check: (owner: Columns | undefined) => void;
};

type ListRow<Item> = {
  ownerId?: string;
  total: number | null;
  cursorKeys?: string;
  hasBefore?: boolean;
  hasAfter?: boolean;
} & (Item | { id: null });

/** Reads one page of a list. */
export async function readPage<Item extends { id: string }>(
  list: List,
  row: RowSource,
  request: PageRequest,
  database: Database,
): Promise<Page<Item>> {
  const owners = { ids: [''], select: (total: Fragment) => fragment`select ${total} as total` };
  const [page] = await readPages<Item>(list, row, request, database, owners);
  if (!page) throw new Error(`The statement of the list ${list.name} returned no row`);
  return page;
}

/** Reads one page of the list of an owner, and checks the owner in the same statement. */
export async function readCheckedPage<Item extends { id: string }, Columns>(
  list: List,
  row: RowSource,
  request: PageRequest,
  database: Database,
  { select, columns, check }: CheckedOwner<Columns>,
): Promise<Page<Item>> {
  const checkedRow = { ...row, columns: fragment`${columns}, ${row.columns}` };
  const rows = await readRows<Item & Columns>(list, checkedRow, request, database, {
    ids: [''],
    select,
  });
  check(rows[0] as Columns | undefined);
  return toPage<Item>(rows, list, request);
}

/**
 * Reads the same page of the list of each owner with one statement; undefined for an owner that the
 * statement did not find.
 */
export async function readPages<Item extends { id: string }>(
  list: List,
  row: RowSource,
  request: PageRequest,
  database: Database,
  owners: Owners,
): Promise<(Page<Item> | undefined)[]> {
  const rows = await readRows<Item>(list, row, request, database, owners);
  if (owners.ids.length === 1)
    return [rows.length > 0 ? toPage<Item>(rows, list, request) : undefined];
  const rowsByOwner = Map.groupBy(rows, ({ ownerId }) => ownerId);
  return owners.ids.map((id) => {
    const ownerRows = rowsByOwner.get(id);
    return ownerRows && toPage<Item>(ownerRows, list, request);
  });
}

/** An owner without entries has one row, in which the id of the entry is null. */
function readRows<Item>(
  list: List,
  { columns, joins = fragment`` }: RowSource,
  request: PageRequest,
  database: Database,
  owners: Owners,
): Promise<ListRow<Item>[]> {
  const keys = keysOf(list);
  const range = rangeOf(list, request);
  const isFar = skipsIds(list, request);
  // The number of rows of a complete list is known when they are read.
  const needsTotal = isFar || (request.needs.total && request.size !== undefined);
  const total = needsTotal ? list.total : fragment`null::int`;
  const ownerId = owners.ids.length === 1 ? fragment`` : fragment`owner.id as "ownerId", `;
  return database[list.isPlannedEachTime ? 'searchSql' : 'sql']<ListRow<Item>>`
    select ${ownerId}owner.total, ${range.neighbours}${cursorColumn(keys, request)}${columns}
    from (${owners.select(total)} offset 0) owner
    ${isFar ? farRows(list, request) : nearRows(list, range.condition, request)}
    ${joins}
    order by ${orderBy(keys, list.order.direction)}`;
}

const keysOf = ({ order, id }: List): OrderKey[] => [...order.keys, id];

const cursorScopeOf = (list: List): CursorScope => ({
  list: list.name,
  order: `${list.order.name}:${list.order.direction}`,
  types: keysOf(list).map(({ type }) => type),
});

/** The fields of a row with the values of these keys; undefined if it does not have them all. */
function fieldsOf(keys: readonly OrderKey[]): string[] | undefined {
  const fields = keys.flatMap(({ field }) => field ?? []);
  return fields.length === keys.length ? fields : undefined;
}

const cursorColumn = (keys: readonly OrderKey[], { needs }: PageRequest): Fragment =>
  needs.cursors && !fieldsOf(keys)
    ? fragment`json_build_array(${keyColumns(keys)})::text as "cursorKeys", `
    : fragment``;

type Range = { condition: Fragment; neighbours: Fragment };

/** The condition for the rows between the cursors, and whether there are rows beyond them. */
function rangeOf(list: List, { after, before, needs }: PageRequest): Range {
  const { table, condition, order } = list;
  const scope = cursorScopeOf(list);
  const keys = keysOf(list);
  const range: Range = { condition: fragment``, neighbours: fragment`` };
  const limitBy = (
    cursor: string,
    { argument, direction, neighbour }: CursorSide,
    showsNeighbour: boolean | undefined,
  ) => {
    const position = positionOf(scope, argument, cursor);
    const compare = (side: 'after' | 'upTo') =>
      comparePosition(side, { keys, direction }, position);
    range.condition = fragment`${range.condition} and ${compare('after')}`;
    if (showsNeighbour)
      range.neighbours = fragment`${range.neighbours}exists (select from ${table} where ${condition} and ${compare('upTo')}) as ${neighbour}, `;
  };
  const { direction } = order;
  if (after !== undefined)
    limitBy(after, { argument: 'after', direction, neighbour: hasBefore }, needs.hasPreviousPage);
  if (before !== undefined)
    limitBy(
      before,
      { argument: 'before', direction: reverse(direction), neighbour: hasAfter },
      needs.hasNextPage,
    );
  return range;
}

type CursorSide = { argument: string; direction: OrderDirection; neighbour: Fragment };
const hasBefore = fragment`"hasBefore"`;
const hasAfter = fragment`"hasAfter"`;

// From this offset on it is faster to skip ids in an index-only scan, from whichever end of the
// list is nearer, and to read only the rows of the page itself.
const farOffsetMin = 1_000;

const offsetOf = ({ page, size = 0 }: PageRequest): number =>
  Math.min((page - 1) * size, Number.MAX_SAFE_INTEGER);

/** Whether the page begins after rows that are skipped. */
export const hasOffset = (request: PageRequest): boolean => offsetOf(request) > 0;

/** Whether the rows of the page are found by skipping many ids. */
export const hasFarOffset = (request: PageRequest): boolean => offsetOf(request) >= farOffsetMin;

/** Whether the total says where the list ends. */
const endsByTotal = ({ isReadFromStart }: List, { needs, isByCursor }: PageRequest): boolean =>
  needs.total === true && !isByCursor && !isReadFromStart;

/** Whether one more row than requested is read, to learn whether the list goes on. */
const readsOneMore = (list: List, request: PageRequest): boolean | undefined =>
  request.isBackward
    ? request.needs.hasPreviousPage
    : request.needs.hasNextPage && !endsByTotal(list, request);

/** Whether the rows of the page are looked up by ids, which are skipped first. */
const skipsIds = ({ isReadFromStart }: List, request: PageRequest): boolean =>
  hasFarOffset(request) && !isReadFromStart;

function nearRows(list: List, rangeCondition: Fragment, request: PageRequest): Fragment {
  const { table, alias, condition, order } = list;
  const { size, isBackward } = request;
  const rows = fragment`select ${alias}.* from ${table} where ${condition} ${rangeCondition}`;
  if (size === undefined) return fragment`left join lateral (${rows}) ${alias} on true`;
  const direction = isBackward ? reverse(order.direction) : order.direction;
  const offset = offsetOf(request);
  const limit = rowLimit(readsOneMore(list, request) ? size + 1 : size);
  const skipped = offset === 0 ? fragment`` : fragment`offset ${offset}::bigint`;
  return fragment`left join lateral (
    ${rows} order by ${orderBy(keysOf(list), direction)} limit ${limit} ${skipped}) ${alias} on true`;
}

function farRows(list: List, request: PageRequest): Fragment {
  const { table, alias, condition, id, order } = list;
  const keys = keysOf(list);
  const { size = 0 } = request;
  const offset = offsetOf(request);
  const limit = rowLimit(size);
  const ids = fragment`select ${id.column} as row_id from ${table} where ${condition}`;
  const lookup = list.lookup ?? fragment`${id.column} = page_row.row_id`;
  return fragment`
    left join lateral (
      (${ids} order by ${orderBy(keys, order.direction)}
       limit case when ${offset}::bigint <= owner.total / 2 then ${limit} else 0 end offset ${offset}::bigint)
      union all
      (${ids} order by ${orderBy(keys, reverse(order.direction))}
       limit case when ${offset}::bigint > owner.total / 2 then greatest(0, least(${limit}, owner.total - ${offset}::bigint)) else 0 end
       offset greatest(0, owner.total - ${offset}::bigint - ${limit}))
    ) page_row on true
    left join lateral (select ${alias}.* from ${table} where ${lookup} limit 1) ${alias} on true`;
}

function toPage<Item extends { id: string }>(
  rows: ListRow<Item>[],
  list: List,
  request: PageRequest,
): Page<Item> {
  const { page, size, isBackward, needs } = request;
  const found = rows.filter(isItem);
  const hasOneMore = size !== undefined && found.length > size;
  const nodes = hasOneMore ? (isBackward ? found.slice(1) : found.slice(0, size)) : found;
  const [first = { total: null, hasBefore: undefined, hasAfter: undefined }] = rows;
  const total = size === undefined ? nodes.length : (first.total ?? undefined);
  const scope = cursorScopeOf(list);
  const isCut =
    skipsIds(list, request) || endsByTotal(list, request)
      ? offsetOf(request) + nodes.length < (total ?? 0)
      : hasOneMore;
  const { hasBefore = page > 1, hasAfter = false } = first;
  return {
    nodes,
    cursorAt: needs.cursors
      ? (index) => toCursor(scope, positionIn(nodes[index], list))
      : undefined,
    total,
    page,
    pageSize: size ?? nodes.length,
    hasNextPage: isBackward ? hasAfter : isCut || hasAfter,
    hasPreviousPage: isBackward ? isCut || hasBefore : hasBefore,
  };
}

function positionIn(node: ListRow<object> | undefined, list: List): unknown[] {
  const fields = fieldsOf(keysOf(list));
  if (!fields) return JSON.parse(node?.cursorKeys ?? '[]');
  return fields.map((field) => node && Reflect.get(node, field));
}

const isItem = <Item extends { id: string }>(row: ListRow<Item>): row is ListRow<Item> & Item =>
  row.id !== null;
