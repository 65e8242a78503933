import type { PoolClient } from 'pg';
import { executeOn, isStatementError, Pipeline } from './driver/pipeline.ts';
import type { PendingStatement, Row, Statement } from './driver/statement.ts';
import { PooledClient } from './pooled-client.ts';
import { allTenants, localScopeStatement, type TenantScope } from './scope.ts';
import { type Sql, type SqlTemplate, sqlOn } from './sql.ts';
import { timeLimit } from './time-limit.ts';

export type Transaction = {
  /**
   * Executes a statement of the transaction. BEGIN and the statements that wait are sent with it, and
   * so are other statements of the same turn of the event loop.
   */
  sql: Sql;
  /** Adds a statement without a result. It is sent with the next one, or with COMMIT. */
  enqueue: SqlTemplate<void>;
  /**
   * Executes the last statement of the transaction and commits, in one round trip. What runs after
   * it may throw only if the transaction has changed nothing.
   */
  commitWith: Sql;
  /**
   * Runs a part of the transaction without tenant scope. Each use states the reason. The ids that it
   * uses were looked up within the organization before, or belong to the sender's own credential.
   */
  withoutTenantScope<T>(run: () => Promise<T>): Promise<T>;
};

type TransactionOptions = {
  build: SqlTemplate<Statement>;
  scope: TenantScope;
  commands?: TransactionCommands;
};

/** How a transaction begins and ends, and the command that the server confirms at its end. */
type TransactionCommands = {
  begin: Statement;
  commit: Statement;
  rollback: Statement;
  confirmed: string;
};

const command = (text: string): Statement => ({ name: `atrium_${text}`, text, values: [] });

export const plainCommands: TransactionCommands = {
  begin: command('begin'),
  commit: command('commit'),
  rollback: command('rollback'),
  confirmed: 'COMMIT',
};

/** A statement that meets a change by another transaction since the first statement fails. */
export const repeatableReadCommands: TransactionCommands = {
  ...plainCommands,
  begin: command('begin isolation level repeatable read'),
};

/** A transaction within a transaction. */
const savepointCommands: TransactionCommands = {
  begin: command('savepoint atrium'),
  commit: command('release savepoint atrium'),
  rollback: command('rollback to savepoint atrium'),
  confirmed: 'RELEASE',
};

export const durationMsMax = 10_000;

/**
 * Runs a transaction on a connection and releases it. A transaction that takes longer than ten
 * seconds is rolled back.
 */
export async function runTransaction<T>(
  client: PoolClient,
  options: TransactionOptions,
  run: (tx: Transaction) => T | Promise<T>,
): Promise<T> {
  const tx = new OpenTransaction(client, options);
  try {
    const runAndCommit = async () => {
      const result = await run(tx);
      await tx.commit();
      return result;
    };
    const result = await timeLimit(runAndCommit(), durationMsMax, 'The transaction took too long');
    client.release();
    return result;
  } catch (error) {
    const isConnected = tx.fault === undefined || isStatementError(tx.fault);
    const rolledBack = (isConnected ? tx.rollback() : Promise.resolve()).then(
      () => client.release(tx.fault),
      (fault: Error) => client.release(fault),
    );
    // The rollback waits for a statement that does not end.
    if (!tx.isSending) await rolledBack;
    throw error;
  }
}

/** Runs a transaction within the open transaction of a connection, and keeps the connection. */
export async function runInSavepoint<T>(
  client: PoolClient,
  options: TransactionOptions,
  run: (tx: Transaction) => T | Promise<T>,
): Promise<T> {
  const tx = new OpenTransaction(client, { ...options, commands: savepointCommands });
  try {
    const result = await run(tx);
    await tx.commit();
    return result;
  } catch (error) {
    // Without a connection there is nothing to roll back, and the first error says why.
    await tx.rollback().catch(() => undefined);
    throw error;
  }
}

/** A transaction on a connection that no other code uses. */
export class OpenTransaction implements Transaction {
  readonly sql: Sql;
  readonly commitWith: Sql;
  readonly enqueue: SqlTemplate<void>;
  readonly #client: PoolClient;
  readonly #scope: TenantScope | undefined;
  readonly #commands: TransactionCommands;
  readonly #waiting: PendingStatement[] = [];
  #isBegun = false;
  #isEnded = false;
  isSending = false;
  /** The first fault of a statement or of the connection. */
  fault: Error | undefined;
  #isAborted = false;
  /** The fault of a statement without a result. */
  #unreportedFault: Error | undefined;

  constructor(client: PoolClient, { build, scope, commands = plainCommands }: TransactionOptions) {
    this.#client = client;
    this.#commands = commands;
    // Row-level security does not apply to every role.
    this.#scope = client instanceof PooledClient && client.rlsActive ? scope : undefined;
    this.sql = sqlOn(build, (statement) => {
      const rows = this.#add(statement).then((result) => result.rows);
      queueMicrotask(() => this.#send());
      return rows;
    });
    this.commitWith = sqlOn(build, (statement) => this.#commitWith(statement));
    this.enqueue = (...template) => {
      this.#waiting.push(this.#withoutResult(build(...template)));
    };
  }

  async withoutTenantScope<T>(run: () => Promise<T>): Promise<T> {
    if (!this.#scope) return run();
    this.#waiting.push(this.#withoutResult(localScopeStatement(allTenants)));
    try {
      return await run();
    } finally {
      this.#waiting.push(this.#withoutResult(localScopeStatement(this.#scope)));
    }
  }

  async commit(): Promise<void> {
    if (this.#isEnded) return;
    const [only, second] = this.#waiting;
    if (only && !second && this.#isAutocommitted) {
      this.#waiting.length = 0;
      const executed = this.#executeOnly(only.statement).then(only.done, (fault: Error) => {
        only.failed(fault);
        throw fault;
      });
      return executed;
    }
    if (this.#isBegun || this.#waiting.length > 0) {
      const committed = this.#add(this.#commands.commit);
      this.#isEnded = true;
      this.#send();
      // Postgres answers COMMIT of an aborted transaction with a rollback and without an error.
      if ((await committed).command !== this.#commands.confirmed) throw abortedTransaction();
    }
    this.#isEnded = true;
  }

  async rollback(): Promise<void> {
    this.#isEnded = true;
    for (const { failed } of this.#waiting.splice(0)) failed(transactionEnded());
    const isIdle = this.#client.getTransactionStatus() === 'I';
    if (this.#isBegun && (this.isSending || !isIdle))
      await executeOn(this.#client, this.#commands.rollback);
  }

  async #commitWith(statement: Statement): Promise<Row[]> {
    if (this.#isAutocommitted && this.#waiting.length === 0)
      return (await this.#executeOnly(statement)).rows;
    const [{ rows }] = await Promise.all([this.#add(statement), this.commit()]);
    return rows;
  }

  /** A single statement is a transaction by itself, unless it runs within another transaction. */
  get #isAutocommitted(): boolean {
    return this.#commands === plainCommands && !this.#isBegun;
  }

  #executeOnly(statement: Statement): Promise<{ rows: Row[]; command: string }> {
    const executed = this.#add(statement);
    this.#isEnded = true;
    this.#send([]);
    return executed;
  }

  #add(statement: Statement): Promise<{ rows: Row[]; command: string }> {
    if (this.#isEnded) return Promise.reject(transactionEnded());
    if (this.#isAborted) return Promise.reject(this.#unreportedFault ?? abortedTransaction());
    return new Promise((done, failed) => {
      this.#waiting.push({ statement, done, failed });
    });
  }

  /** Sends what waits. While statements are on their way, the next ones wait for their results. */
  #send(begin = [this.#commands.begin]): void {
    if (this.isSending || this.#waiting.length === 0) return;
    const opening = this.#isBegun
      ? []
      : [...begin, ...(this.#scope ? [localScopeStatement(this.#scope)] : [])];
    const statements = [
      ...opening.map((statement) => this.#withoutResult(statement)),
      ...this.#waiting.splice(0),
    ];
    this.#isBegun ||= begin.length > 0;
    this.isSending = true;
    const onEnd = (fault: Error | null, unexecuted: readonly PendingStatement[]): void => {
      this.isSending = false;
      if (fault) {
        this.#isAborted = true;
        this.fault ??= fault;
        for (const { failed } of [...unexecuted, ...this.#waiting.splice(0)]) failed(fault);
      } else this.#send();
    };
    this.#client.query(new Pipeline(statements, onEnd));
  }

  #withoutResult(statement: Statement): PendingStatement {
    const failed = (fault: Error) => {
      this.#unreportedFault ??= fault;
    };
    return { statement, done: () => undefined, failed };
  }
}

const transactionEnded = () => new Error('The transaction has ended');

/** The error of Postgres for a statement in an aborted transaction. */
const abortedTransaction = () =>
  Object.assign(new Error('a statement of this transaction failed, so it can not be committed'), {
    code: '25P02',
    severity: 'ERROR',
  });
