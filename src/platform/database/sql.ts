import type { QueryConfig, QueryResultRow } from 'pg';
import { readTypes } from './read-types.ts';
import { createStatementNames } from './statements.ts';

type Bindable =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly (string | number)[];
type Value = Bindable | Fragment;

export type Sql = <Row extends QueryResultRow>(
  strings: TemplateStringsArray,
  ...values: Value[]
) => Promise<Row[]>;

/** A piece of a statement with its own values, for `sql` to put in its place. */
export class Fragment {
  readonly strings: TemplateStringsArray;
  readonly values: readonly Value[];

  constructor(strings: TemplateStringsArray, values: readonly Value[]) {
    this.strings = strings;
    this.values = values;
  }
}

export function fragment(strings: TemplateStringsArray, ...values: Value[]): Fragment {
  return new Fragment(strings, values);
}

/**
 * How many rows a page has. A usual number stands in the text: as a parameter, LIMIT would hide
 * from Postgres how few rows are asked for, and it would plan the prepared statement anew each
 * time: 0.40 instead of 0.18 ms for a page. Not every number does, for each text is one more
 * statement that every connection keeps.
 */
export const rowLimit = (rows: number): Fragment => usualLimits.get(rows) ?? fragment`${rows}::int`;

const usualLimits = new Map(
  [1, 10, 20, 25, 50, 100].map((rows) => [
    rows,
    new Fragment(Object.assign([String(rows)], { raw: [String(rows)] }), []),
  ]),
);

/**
 * One of these. A list of one stands for itself: an array Postgres takes for ten, and then plans
 * the prepared statement anew each time.
 */
export function anyOf(values: readonly string[]): Fragment {
  const [value] = values;
  return value !== undefined && values.length === 1
    ? fragment`= ${value}`
    : fragment`= any(${values})`;
}

const statementsMax = 200;

type SqlDoors = { sql: Sql; searchSql: Sql };
type Ask = <Row extends QueryResultRow>(query: QueryConfig) => Promise<{ rows: Row[] }>;

/** The doors of all who ask share the names of their statements. */
export function createSql(): (ask: Ask) => SqlDoors {
  const nameOf = createStatementNames('atrium_', statementsMax);
  const names = new WeakMap<Text, { name: string | undefined }>();
  const nameOfText = (text: Text): string | undefined => {
    const known = names.get(text) ?? { name: nameOf(text.written) };
    names.set(text, known);
    return known.name;
  };
  const reading = (ask: Ask, name: (text: Text) => string | undefined): Sql => {
    return async <Row extends QueryResultRow>(
      strings: TemplateStringsArray,
      ...values: Value[]
    ) => {
      const { text, bound } = assemble(strings, values);
      return (
        await ask<Row>({ name: name(text), text: text.written, values: bound, types: readTypes })
      ).rows;
    };
  };
  return (ask) => ({ sql: reading(ask, nameOfText), searchSql: reading(ask, () => undefined) });
}

/** A statement as a driver takes it: its text, and the values that are bound to it. */
export function statementOf({ strings, values }: Fragment): { text: string; values: Bindable[] } {
  const { text, bound } = assemble(strings, values);
  return { text: text.written, values: bound };
}

/** The text of a statement: the same object for the same pieces in the same places. */
type Text = { written: string };

/**
 * The pieces that a statement is made of, one after the other, and the text where they end: it is
 * written once.
 */
class Pieces {
  text: Text | undefined;
  /** The piece that comes next, by how many values were met before it. */
  readonly #next = new WeakMap<TemplateStringsArray, Pieces[]>();

  next(strings: TemplateStringsArray, valuesBefore: number): Pieces {
    const places = this.#next.get(strings) ?? [];
    this.#next.set(strings, places);
    places[valuesBefore] ??= new Pieces();
    return places[valuesBefore];
  }
}

const beginnings = new Pieces();

function assemble(
  strings: TemplateStringsArray,
  values: readonly Value[],
): { text: Text; bound: Bindable[] } {
  const bound: Bindable[] = [];
  let pieces = beginnings.next(strings, 0);
  let met = 0;
  const walk = (inner: readonly Value[]): void => {
    for (const value of inner) {
      met += 1;
      if (value instanceof Fragment) {
        pieces = pieces.next(value.strings, met);
        walk(value.values);
      } else bound.push(value);
    }
  };
  walk(values);
  pieces.text ??= { written: write(strings, values, []) };
  return { text: pieces.text, bound };
}

function write(strings: TemplateStringsArray, values: readonly Value[], bound: Bindable[]): string {
  const places = values.map((value) =>
    value instanceof Fragment ? write(value.strings, value.values, bound) : `$${bound.push(value)}`,
  );
  return String.raw({ raw: strings }, ...places);
}
