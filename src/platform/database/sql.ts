import type { QueryConfig, QueryResultRow } from 'pg';
import { readTypes } from './read-types.ts';
import { createStatementNames } from './statements.ts';

type Bindable = string | number | bigint | boolean | null | Date | Uint8Array | readonly (string | number)[];
type Value = Bindable | Fragment;

export type Sql = <Row extends QueryResultRow>(strings: TemplateStringsArray, ...values: Value[]) => Promise<Row[]>;

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
 * How many rows a page has. A usual number stands in the text: as a parameter, LIMIT would hide from Postgres how few rows are
 * asked for, and it would plan the prepared statement anew each time: 0.40 instead of 0.18 ms for a page. Not every number does,
 * for each text is one more statement that every connection keeps.
 */
export const rowLimit = (rows: number): Fragment => usualLimits.get(rows) ?? fragment`${rows}::int`;

const usualLimits = new Map([1, 10, 20, 25, 50, 100].map((rows) => [rows, new Fragment(Object.assign([String(rows)], { raw: [String(rows)] }), [])]));

/** One of these. A list of one stands for itself: an array Postgres takes for ten, and then plans the prepared statement anew each time. */
export function anyOf(values: readonly string[]): Fragment {
  const [value] = values;
  return value !== undefined && values.length === 1 ? fragment`= ${value}` : fragment`= any(${values})`;
}

/** A statement as a driver takes it: its text, and the values that are bound to it. */
export function statementOf({ strings, values }: Fragment): { text: string; values: Bindable[] } {
  const { text, bound } = assemble(strings, values);
  return { text, values: bound };
}

const statementsMax = 200;

type SqlDoors = { sql: Sql; searchSql: Sql };
type Ask = <Row extends QueryResultRow>(query: QueryConfig) => Promise<{ rows: Row[] }>;

/** The doors of all who ask share the names of their statements. */
export function createSql(): (ask: Ask) => SqlDoors {
  const nameOf = createStatementNames('atrium_', statementsMax);
  const reading = (ask: Ask, name: (text: string) => string | undefined): Sql => {
    return async <Row extends QueryResultRow>(strings: TemplateStringsArray, ...values: Value[]) => {
      const { text, bound } = assemble(strings, values);
      return (await ask<Row>({ name: name(text), text, values: bound, types: readTypes })).rows;
    };
  };
  return (ask) => ({ sql: reading(ask, nameOf), searchSql: reading(ask, () => undefined) });
}

const plainTexts = new WeakMap<TemplateStringsArray, string>();

function assemble(strings: TemplateStringsArray, values: readonly Value[]): { text: string; bound: Bindable[] } {
  const bound: Bindable[] = [];
  if (!areBindable(values)) return { text: write(strings, values, bound), bound };
  const text = plainTexts.get(strings) ?? write(strings, values, bound);
  plainTexts.set(strings, text);
  return { text, bound: [...values] };
}

function write(strings: TemplateStringsArray, values: readonly Value[], bound: Bindable[]): string {
  const places = values.map((value) => (value instanceof Fragment ? write(value.strings, value.values, bound) : `$${bound.push(value)}`));
  return String.raw({ raw: strings }, ...places);
}

function areBindable(values: readonly Value[]): values is readonly Bindable[] {
  return !values.some((value) => value instanceof Fragment);
}
