import { type Fragment, fragment } from '../sql.ts';

/** The types of the columns that can order a list. */
export type KeyType = 'text' | 'integer' | 'time';

/**
 * A column or expression that orders a list. It must not be null. `field` is the field of the listed
 * rows that has its value, if they have it: then no statement computes it for cursors.
 */
export type OrderKey = { column: Fragment; type: KeyType; field?: string };

export type OrderDirection = 'ASC' | 'DESC';

/**
 * The order of a list: its keys, then the id, all in the same direction. The id makes the order
 * total, so that each row has one position. An index over the same columns makes a page after a
 * cursor as cheap as the first one.
 */
export type ListOrder = {
  /** The name of the order in cursors. */
  name: string;
  direction: OrderDirection;
  keys: readonly OrderKey[];
};

/** The order that a caller chooses. */
export type OrderInput<Field extends string> = { field: Field; direction: OrderDirection };

/** The order of this field of a list; without one, the default order. */
export function chooseOrder<Field extends string>(
  keysByField: Readonly<Record<Field, readonly OrderKey[]>>,
  chosen: OrderInput<Field> | null | undefined,
  defaultOrder: OrderInput<Field>,
): ListOrder {
  const { field, direction } = chosen ?? defaultOrder;
  return { name: field, direction, keys: keysByField[field] };
}

const casts: Record<KeyType, Fragment> = {
  text: fragment`::text`,
  integer: fragment`::bigint`,
  time: fragment`::timestamptz`,
};

const commaSeparated = (parts: readonly Fragment[]): Fragment =>
  parts.reduce((list, part) => fragment`${list}, ${part}`);

export const keyColumns = (keys: readonly OrderKey[]): Fragment =>
  commaSeparated(keys.map(({ column }) => column));

/** SQL for `order by`. */
export function orderBy(keys: readonly OrderKey[], direction: OrderDirection): Fragment {
  const columns = keys.map(({ column }) => column);
  return commaSeparated(
    direction === 'DESC' ? columns.map((column) => fragment`${column} desc`) : columns,
  );
}

const opposite = { ASC: 'DESC', DESC: 'ASC' } as const;

export const reverse = (direction: OrderDirection): OrderDirection => opposite[direction];

const operators = {
  ASC: { after: fragment`>`, upTo: fragment`<=` },
  DESC: { after: fragment`<`, upTo: fragment`>=` },
};

/**
 * SQL for the condition that a row comes after a position in an order of this direction, or up to
 * it.
 */
export function comparePosition(
  side: 'after' | 'upTo',
  { keys, direction }: { keys: readonly OrderKey[]; direction: OrderDirection },
  position: readonly string[],
): Fragment {
  const values = keys.map(({ type }, index) => fragment`${position[index] ?? ''}${casts[type]}`);
  return fragment`(${keyColumns(keys)}) ${operators[direction][side]} (${commaSeparated(values)})`;
}
