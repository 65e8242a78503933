import type { Connection, FieldDef, QueryConfig, Submittable } from 'pg';
import { DatabaseError, serialize } from 'pg-protocol';
import { readTypes } from './read-types.ts';

type Row = Record<string, unknown>;
/** What follows when all is over: the fault that ended it, and those that are to be asked again. */
type Over = (fault: Error | null, unasked: readonly Read[]) => void;
type Fields = readonly (string | null)[];
type ReadRow = (fields: Fields) => Row;
export type Question = QueryConfig & { name: string };
/** A question and who waits for its answer. */
export type Read = {
  question: Question;
  done(result: { rows: Row[] }): void;
  failed(fault: Error): void;
};

export const isPreparedRead = (question: unknown): question is Question => {
  const { name, types }: QueryConfig = Object(question);
  return types === readTypes && name !== undefined;
};

/** How the rows of a connection's prepared statements are read, by their names. */
const described = new WeakMap<Connection, Map<string, ReadRow>>();

const execute = serialize.execute();
const describeAndExecute = Buffer.concat([serialize.describe({ type: 'P' }), execute]);
const sync = serialize.sync();

/**
 * Prepared statements that submit themselves together, which `pg` lets a query do: one message
 * there, one back. Its own way asks each time what the columns are, and writes each message for
 * itself; this one asks once for each connection. They are one transaction, so several may only be
 * reads. Where one of them fails the server passes over those behind it, who are handed back
 * unasked.
 */
export class PreparedReads implements Submittable {
  /** Who watches the statements that leave finds them here. */
  readonly reads: readonly Read[];
  readonly #over: Over;
  readonly #answers: Row[][] = [];
  #rows: Row[] = [];
  #readRow: ReadRow | undefined;
  #fault: Error | undefined;
  #connection: Connection | undefined;

  constructor(reads: readonly Read[], over: Over = () => undefined) {
    this.reads = reads;
    this.#over = over;
  }

  /** `pg` puts another in its place where a query has a time limit. */
  callback = (fault: Error | null): void => {
    if (!fault) this.#answer(this.reads.length);
    else if (!isRefusal(fault)) this.#fail(fault);
    const answered = this.#answers.length + (fault ? 1 : 0);
    this.#over(fault, isRefusal(fault) ? this.reads.slice(answered) : []);
  };

  // `pg` notes by these what the connection has prepared.
  get name(): string {
    return this.reads[this.#answers.length]?.question.name ?? '';
  }

  get text(): string {
    return this.reads[this.#answers.length]?.question.text ?? '';
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    // Its types leave it out. What failed later must not be prepared again.
    const { parsedStatements } = connection as unknown as {
      parsedStatements: Record<string, string>;
    };
    const parsing = new Set<string>();
    const messages: Buffer[] = [];
    for (const { question } of this.reads) {
      const { name, text, values = [] } = question;
      if (parsedStatements[name] === undefined && !parsing.has(name))
        messages.push(serialize.parse({ name, text }));
      parsing.add(name);
      messages.push(
        serialize.bind({ statement: name, values, valueMapper: written }),
        described.get(connection)?.has(name) ? execute : describeAndExecute,
      );
    }
    this.#begin();
    connection.stream.write(Buffer.concat([...messages, sync]));
  }

  #begin(): void {
    this.#rows = [];
    this.#fault = undefined;
    this.#readRow = this.#connection && described.get(this.#connection)?.get(this.name);
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#readRow = rowReader(fields);
  }

  handleDataRow({ fields }: { fields: Fields }): void {
    try {
      if (this.#readRow) this.#rows.push(this.#readRow(fields));
    } catch (error) {
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete(): void {
    if (this.#connection && this.#readRow) {
      const known = described.get(this.#connection) ?? new Map<string, ReadRow>();
      described.set(this.#connection, known.set(this.name, this.#readRow));
    }
    if (this.#fault) this.reads[this.#answers.length]?.failed(this.#fault);
    this.#answers.push(this.#rows);
    this.#begin();
  }

  handleError(fault: Error): void {
    const at = this.#answers.length;
    // Behind the last of them it is the end of the transaction that failed.
    if (!isRefusal(fault) || at === this.reads.length) this.#fail(fault);
    else {
      this.#answer(at);
      this.reads[at]?.failed(fault);
    }
    this.callback(fault);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  #answer(count: number): void {
    for (let at = 0; at < count; at += 1) this.reads[at]?.done({ rows: this.#answers[at] ?? [] });
  }

  #fail(fault: Error): void {
    for (const read of this.reads) read.failed(fault);
  }
}

// Connection exceptions, a server that stops, internal errors, session time limits.
const ofConnection = /^(08|57P|XX|25P03|25P04)/;

/**
 * What the server says of a statement, not of the connection. By its code: the word for its
 * severity is in the language of the server.
 */
const isRefusal = (fault: Error | null): boolean =>
  fault instanceof DatabaseError && fault.code !== undefined && !ofConnection.test(fault.code);

type Parse = (text: string) => unknown;
// Its types take a parser for one that is handed an oid.
const parserOf = (oid: number) => readTypes.getTypeParser(oid, 'text') as unknown as Parse;

/**
 * Code that makes a row of these columns as one object literal, which is far less work than adding
 * one property after the other. The names are those of our own statements, and are written as
 * strings.
 */
function rowReader(columns: readonly FieldDef[]): ReadRow {
  const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID));
  const properties = columns.map(
    ({ name }, at) => `${JSON.stringify(name)}: f[${at}] === null ? null : p[${at}](f[${at}])`,
  );
  return new Function('p', `return (f) => ({ ${properties.join(', ')} })`)(parsers);
}

function written(value: unknown): string | Buffer | null {
  if (typeof value === 'string' || value === null) return value;
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value))
    return `{${value.map((item) => (typeof item === 'number' ? item : `"${String(item).replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`;
  return String(value);
}
