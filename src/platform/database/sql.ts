import type { Pool, QueryResultRow } from 'pg';
import { readTypes } from './read-types.ts';
import { createStatementNames } from './statements.ts';

type Bindable = string | number | bigint | boolean | null | Date | Uint8Array | readonly (string | number)[];
type Value = Bindable | Fragment;

export type Sql = <Row extends QueryResultRow>(strings: TemplateStringsArray, ...values: Value[]) => Promise<Row[]>;

/** A piece of a statement with its own values, for `sql` to put in its place. */
class Fragment {
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
 * A number that stands in the text. As a parameter, LIMIT would hide from Postgres how few rows are asked for, and it would
 * plan the prepared statement anew each time: 0.40 instead of 0.18 ms for a page.
 */
export function literal(value: number): Fragment {
  if (!Number.isSafeInteger(value)) throw new RangeError('only an integer can stand in the text of a statement');
  return new Fragment(Object.assign([String(value)], { raw: [String(value)] }), []);
}

const statementsMax = 200;

export function createSql(pool: Pool): { sql: Sql; searchSql: Sql } {
  const nameOf = createStatementNames('atrium_', statementsMax);
  const reading = (name: (text: string) => string | undefined): Sql => {
    return async <Row extends QueryResultRow>(strings: TemplateStringsArray, ...values: Value[]) => {
      const { text, bound } = assemble(strings, values);
      return (await pool.query<Row>({ name: name(text), text, values: bound, types: readTypes })).rows;
    };
  };
  return { sql: reading(nameOf), searchSql: reading(() => undefined) };
}

const plainTexts = new WeakMap<TemplateStringsArray, string>();

function assemble(strings: TemplateStringsArray, values: Value[]): { text: string; bound: Bindable[] } {
  const bound: Bindable[] = [];
  if (!values.every(isBindable)) return { text: write(strings, values, bound), bound };
  const text = plainTexts.get(strings) ?? write(strings, values, bound);
  plainTexts.set(strings, text);
  return { text, bound: values };
}

function write(strings: TemplateStringsArray, values: readonly Value[], bound: Bindable[]): string {
  const places = values.map((value) => (value instanceof Fragment ? write(value.strings, value.values, bound) : `$${bound.push(value)}`));
  return String.raw({ raw: strings }, ...places);
}

function isBindable(value: Value): value is Bindable {
  return !(value instanceof Fragment);
}
