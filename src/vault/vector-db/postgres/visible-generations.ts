/**
 * The generations that a search may see: only those in `allowed`, or all up to `last` that are not
 * in `hidden`.
 */
export type VisibleGenerations =
  | { allowed: readonly number[] }
  | { hidden: readonly number[]; last: number };

/** A condition of SQL. It contains only numbers, so it needs no parameters. */
export const visibleIn = (table: string, visible: VisibleGenerations): string =>
  'allowed' in visible
    ? `${table}.generation = any(${toArray(visible.allowed)})`
    : `${table}.generation <= ${visible.last} and ${table}.generation <> all(${toArray(visible.hidden)})`;

const toArray = (numbers: readonly number[]): string => `'{${numbers.join(',')}}'::bigint[]`;
