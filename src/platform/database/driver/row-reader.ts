import type { FieldDef } from 'pg';
import { columnTypes } from './column-types.ts';
import type { Row } from './statement.ts';

export type RawRow = readonly (string | null)[];
export type ReadRow = (fields: RawRow) => Row;

type ParseValue = (text: string) => unknown;
// The types of `pg` declare the parser as one for an OID.
const parserOf = (oid: number) => columnTypes.getTypeParser(oid, 'text') as unknown as ParseValue;

/** Compiled readers by the names and types of their columns. */
const readers = new Map<string, ReadRow>();
const readersMax = 1_000;

/**
 * Returns a function that creates a row as one object literal, which is much faster than adding
 * properties one by one.
 */
export function rowReaderFor(columns: readonly FieldDef[]): ReadRow {
  const signature = JSON.stringify(columns.map(({ name, dataTypeID }) => [name, dataTypeID]));
  const existing = readers.get(signature);
  if (existing) return existing;
  const reader = compile(columns);
  if (readers.size < readersMax) readers.set(signature, reader);
  return reader;
}

// The column names come from our own statements and are escaped as string literals.
function compile(columns: readonly FieldDef[]): ReadRow {
  const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID));
  const properties = columns.map(
    ({ name }, at) => `${JSON.stringify(name)}: f[${at}] === null ? null : p[${at}](f[${at}])`,
  );
  return new Function('p', `return (f) => ({ ${properties.join(', ')} })`)(parsers);
}
