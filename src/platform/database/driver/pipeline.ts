import type { ClientBase, Connection, FieldDef, Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import { type RawRow, type ReadRow, rowReaderFor } from './row-reader.ts';
import {
  type PendingStatement,
  type Row,
  type Statement,
  type StatementResult,
  toParameter,
} from './statement.ts';

/**
 * Called at the end of a pipeline, with the error that ended it and the statements that were not
 * executed.
 */
type OnPipelineEnd = (fault: Error | null, unexecuted: readonly PendingStatement[]) => void;

/** The row readers of the prepared statements of each connection, by statement name. */
const rowReaders = new WeakMap<Connection, Map<string, ReadRow>>();

const execute = serialize.execute();
const describeAndExecute = Buffer.concat([serialize.describe({ type: 'P' }), execute]);
const sync = serialize.sync();

const noColumns: ReadRow = () => ({});

/**
 * Sends several statements in one message and receives the results in one. `pg` lets a query object
 * write to the connection itself. `pg` requests the column description with every execution and
 * writes each protocol message separately; this class requests it once per connection and prepared
 * statement (https://github.com/jackc/pgx/issues/2460 has figures for the same change), and `pg` has
 * no pipelines for custom queries (https://github.com/brianc/node-postgres/issues/2646).
 *
 * Outside of BEGIN and COMMIT the statements form one transaction. If one fails, the server skips
 * the rest, which are passed to `onEnd` as unexecuted.
 */
export class Pipeline implements Submittable {
  /** Public so that tests can see which statements are sent. */
  readonly statements: readonly PendingStatement[];
  readonly #onEnd: OnPipelineEnd;
  readonly #results: StatementResult[] = [];
  #rows: Row[] = [];
  #readRow: ReadRow | undefined;
  #unreadable: Error | undefined;
  #connection: Connection | undefined;

  constructor(statements: readonly PendingStatement[], onEnd: OnPipelineEnd = () => undefined) {
    this.statements = statements;
    this.#onEnd = onEnd;
  }

  // `pg` uses the name and the text to record which statements the connection has prepared.
  get name(): string {
    return this.#current?.name ?? '';
  }

  get text(): string {
    return this.#current?.text ?? '';
  }

  get #current(): Statement | undefined {
    return this.statements[this.#results.length]?.statement;
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
    for (const { statement } of this.statements) {
      const { name = '', text, values } = statement;
      if (name === '' || (parsedStatements[name] === undefined && !parsing.has(name)))
        messages.push(serialize.parse({ name, text }));
      parsing.add(name);
      messages.push(
        serialize.bind({ statement: name, values: [...values], valueMapper: toParameter }),
        rowReaders.get(connection)?.has(name) ? execute : describeAndExecute,
      );
    }
    this.#begin();
    connection.stream.write(Buffer.concat([...messages, sync]));
  }

  #begin(): void {
    this.#rows = [];
    this.#unreadable = undefined;
    this.#readRow = this.#connection && rowReaders.get(this.#connection)?.get(this.name);
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#readRow = rowReaderFor(fields);
  }

  handleDataRow({ fields }: { fields: RawRow }): void {
    try {
      if (this.#readRow) this.#rows.push(this.#readRow(fields));
    } catch (error) {
      this.#unreadable ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete({ text: command }: { text: string }): void {
    if (this.#connection && this.name !== '') {
      const readers = rowReaders.get(this.#connection) ?? new Map<string, ReadRow>();
      // A statement without a description returns no rows.
      rowReaders.set(this.#connection, readers.set(this.name, this.#readRow ?? noColumns));
    }
    if (this.#unreadable) this.statements[this.#results.length]?.failed(this.#unreadable);
    this.#results.push({ rows: this.#rows, command });
    this.#begin();
  }

  handleError(fault: Error): void {
    if (!isStatementError(fault) || !this.#connection) this.#endWith(fault);
    else this.#whenReady(this.#connection, () => this.#endWith(fault));
  }

  handleReadyForQuery(): void {
    this.#end(null);
  }

  /**
   * After an error the server skips the rest and becomes ready. `pg` no longer tells the query, and
   * a statement that is sent before then finds the connection busy.
   */
  #whenReady(connection: Connection, run: () => void): void {
    const settle = () => {
      connection.removeListener('readyForQuery', settle);
      connection.removeListener('end', settle);
      run();
    };
    connection.once('readyForQuery', settle);
    connection.once('end', settle);
  }

  #endWith(fault: Error): void {
    const at = this.#results.length;
    // After the last statement the error belongs to the end of the transaction.
    if (!isStatementError(fault) || at === this.statements.length) this.#fail(fault);
    else {
      this.#answer(at);
      this.statements[at]?.failed(fault);
    }
    this.#end(fault);
  }

  #end(fault: Error | null): void {
    if (!fault) this.#answer(this.statements.length);
    else if (!isStatementError(fault)) this.#fail(fault);
    const finished = this.#results.length + (fault ? 1 : 0);
    this.#onEnd(fault, isStatementError(fault) ? this.statements.slice(finished) : []);
  }

  #answer(count: number): void {
    for (const [at, result] of this.#results.slice(0, count).entries())
      this.statements[at]?.done(result);
  }

  #fail(fault: Error): void {
    for (const statement of this.statements) statement.failed(fault);
  }
}

/** Executes one statement on a connection. */
export function executeOn(client: ClientBase, statement: Statement): Promise<StatementResult> {
  return new Promise((done, failed) => {
    client.query(new Pipeline([{ statement, done, failed }]));
  });
}

// Connection exceptions, a server that stops, internal errors, session timeouts.
const connectionErrors = /^(08|57P|XX|25P03|25P04)/;

/**
 * Whether the error concerns the statement and not the connection. The SQLSTATE decides: the
 * severity is a word in the language of the server. PGlite has its own class for errors.
 */
export function isStatementError(fault: Error | null): boolean {
  if (!fault || !('severity' in fault && 'code' in fault)) return false;
  return typeof fault.code === 'string' && !connectionErrors.test(fault.code);
}
