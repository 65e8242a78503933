import type { Connection, FieldDef, QueryConfig, Submittable } from 'pg';
import { DatabaseError, serialize } from 'pg-protocol';
import { readTypes } from './read-types.ts';

type ResultRow = Record<string, unknown>;
/**
 * Called at the end of a batch, with the error that ended it and the reads that must be repeated.
 */
type OnBatchEnd = (fault: Error | null, unexecuted: readonly PendingRead[]) => void;
type RawRow = readonly (string | null)[];
type ReadRow = (fields: RawRow) => ResultRow;
export type PreparedQuery = QueryConfig & { name: string };
/** A query with the callbacks for its result. */
export type PendingRead = {
  query: PreparedQuery;
  done(result: { rows: ResultRow[] }): void;
  failed(fault: Error): void;
};

export const isPreparedRead = (query: unknown): query is PreparedQuery => {
  const { name, types }: QueryConfig = Object(query);
  return types === readTypes && name !== undefined;
};

/** The row readers of the prepared statements of each connection, by statement name. */
const rowReaders = new WeakMap<Connection, Map<string, ReadRow>>();

const execute = serialize.execute();
const describeAndExecute = Buffer.concat([serialize.describe({ type: 'P' }), execute]);
const sync = serialize.sync();

/**
 * Sends several prepared statements in one message and receives the results in one; `pg` lets a
 * query object write to the connection itself. `pg` requests the column description with every
 * execution and writes each protocol message separately; this class requests it once per connection
 * and statement. The statements form one transaction, so a batch of several may contain only reads.
 * If one fails, the server skips the rest, which are passed to `onEnd` as unexecuted.
 */
export class PreparedReads implements Submittable {
  /** Public so that tests can see which statements are sent. */
  readonly reads: readonly PendingRead[];
  readonly #onEnd: OnBatchEnd;
  readonly #answers: ResultRow[][] = [];
  #rows: ResultRow[] = [];
  #readRow: ReadRow | undefined;
  #fault: Error | undefined;
  #connection: Connection | undefined;

  constructor(reads: readonly PendingRead[], onEnd: OnBatchEnd = () => undefined) {
    this.reads = reads;
    this.#onEnd = onEnd;
  }

  /** `pg` replaces this function if the query has a time limit. */
  callback = (fault: Error | null): void => {
    if (!fault) this.#answer(this.reads.length);
    else if (!isStatementError(fault)) this.#fail(fault);
    const finished = this.#answers.length + (fault ? 1 : 0);
    this.#onEnd(fault, isStatementError(fault) ? this.reads.slice(finished) : []);
  };

  // `pg` uses the name and the text to record which statements the connection has prepared.
  get name(): string {
    return this.reads[this.#answers.length]?.query.name ?? '';
  }

  get text(): string {
    return this.reads[this.#answers.length]?.query.text ?? '';
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    // `parsedStatements` is missing in the types of `pg`. A statement that failed after it was
    // parsed must not be prepared again.
    const { parsedStatements } = connection as unknown as {
      parsedStatements: Record<string, string>;
    };
    const parsing = new Set<string>();
    const messages: Buffer[] = [];
    for (const { query } of this.reads) {
      const { name, text, values = [] } = query;
      if (parsedStatements[name] === undefined && !parsing.has(name))
        messages.push(serialize.parse({ name, text }));
      parsing.add(name);
      messages.push(
        serialize.bind({ statement: name, values, valueMapper: toParameter }),
        rowReaders.get(connection)?.has(name) ? execute : describeAndExecute,
      );
    }
    this.#begin();
    connection.stream.write(Buffer.concat([...messages, sync]));
  }

  #begin(): void {
    this.#rows = [];
    this.#fault = undefined;
    this.#readRow = this.#connection && rowReaders.get(this.#connection)?.get(this.name);
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#readRow = rowReader(fields);
  }

  handleDataRow({ fields }: { fields: RawRow }): void {
    try {
      if (this.#readRow) this.#rows.push(this.#readRow(fields));
    } catch (error) {
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete(): void {
    if (this.#connection && this.#readRow) {
      const readers = rowReaders.get(this.#connection) ?? new Map<string, ReadRow>();
      rowReaders.set(this.#connection, readers.set(this.name, this.#readRow));
    }
    if (this.#fault) this.reads[this.#answers.length]?.failed(this.#fault);
    this.#answers.push(this.#rows);
    this.#begin();
  }

  handleError(fault: Error): void {
    const at = this.#answers.length;
    // After the last statement the error belongs to the end of the transaction.
    if (!isStatementError(fault) || at === this.reads.length) this.#fail(fault);
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

// Connection exceptions, a server that stops, internal errors, session timeouts.
const connectionErrors = /^(08|57P|XX|25P03|25P04)/;

/**
 * Whether the error concerns the statement and not the connection. The SQLSTATE decides: the
 * severity is a word in the language of the server.
 */
const isStatementError = (fault: Error | null): boolean =>
  fault instanceof DatabaseError && fault.code !== undefined && !connectionErrors.test(fault.code);

type ParseValue = (text: string) => unknown;
// The types of `pg` declare the parser as one for an OID.
const parserOf = (oid: number) => readTypes.getTypeParser(oid, 'text') as unknown as ParseValue;

/**
 * Generates a function that creates a row as one object literal, which is much faster than adding
 * properties one by one. The column names come from our own statements and are escaped as string
 * literals.
 */
function rowReader(columns: readonly FieldDef[]): ReadRow {
  const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID));
  const properties = columns.map(
    ({ name }, at) => `${JSON.stringify(name)}: f[${at}] === null ? null : p[${at}](f[${at}])`,
  );
  return new Function('p', `return (f) => ({ ${properties.join(', ')} })`)(parsers);
}

function toParameter(value: unknown): string | Buffer | null {
  if (typeof value === 'string' || value === null) return value;
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value))
    return `{${value.map((item) => (typeof item === 'number' ? item : `"${String(item).replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`;
  return String(value);
}
