import type { PoolClient, QueryResultRow } from 'pg';
import { createMutex } from '../mutex.ts';
import { executeOn, Pipeline } from './driver/pipeline.ts';
import type { Row, Statement } from './driver/statement.ts';
import type { PrismaClient } from './generated/client.ts';
import {
  durationMsMax,
  plainCommands,
  runInSavepoint,
  type Transaction,
} from './open-transaction.ts';
import { PooledClient } from './pooled-client.ts';
import { unusablePrisma } from './prisma.ts';
import { allTenants, localScopeStatement, type TenantScope } from './scope.ts';
import { type Sql, type SqlTemplate, type StatementBuilder, sqlOn } from './sql.ts';

/** The parts of a database that a rehearsal replaces. */
type Rehearsable<Self> = {
  sql: Sql;
  searchSql: Sql;
  transact<T>(run: (tx: Transaction) => T | Promise<T>): Promise<T>;
  within(scope: TenantScope): Self;
  readonly unscoped: Self;
  prisma: PrismaClient;
};

type RehearsalDependencies<Database> = {
  /** The database without the rehearsal, and its scope. */
  database: Database;
  scope: TenantScope;
  connect: () => Promise<PoolClient>;
  statements: StatementBuilder;
};

/**
 * Runs work with a database whose changes are rolled back at the end. The first transaction of the
 * work opens a transaction of its own on a connection. From then on every statement of the work
 * runs there, so that it sees the changes, and the transactions of the work are savepoints. Reads
 * before that need no connection, so an upload holds none while its file arrives.
 */
export async function rehearse<Database extends Rehearsable<Database>, T>(
  run: (database: Database) => Promise<T>,
  { database, scope, connect, statements }: RehearsalDependencies<Database>,
): Promise<T> {
  const rehearsal = new Rehearsal(connect, statements);
  try {
    return await Promise.race([run(rehearsal.databaseFor(database, scope)), rehearsal.expiry]);
  } finally {
    await rehearsal.end();
  }
}

class Rehearsal {
  readonly #connect: () => Promise<PoolClient>;
  readonly #statements: StatementBuilder;
  readonly #exclusively = createMutex();
  readonly #expired = Promise.withResolvers<never>();
  #client: Promise<PoolClient> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(connect: () => Promise<PoolClient>, statements: StatementBuilder) {
    this.#connect = connect;
    this.#statements = statements;
  }

  /** Rejects when the transaction has been open for as long as any transaction may be. */
  get expiry(): Promise<never> {
    return this.#expired.promise;
  }

  databaseFor<Database extends Rehearsable<Database>>(
    database: Database,
    scope: TenantScope,
  ): Database {
    const { prepared, plannedEachTime } = this.#statements;
    const within = (outer: Database, innerScope: TenantScope) =>
      this.databaseFor(outer, innerScope);
    return {
      ...database,
      sql: this.#sqlFor(database.sql, prepared, scope),
      searchSql: this.#sqlFor(database.searchSql, plannedEachTime, scope),
      transact: <T>(run: (tx: Transaction) => T | Promise<T>): Promise<T> =>
        this.#exclusively(async () =>
          runInSavepoint(await this.#open(), { build: prepared, scope }, run),
        ),
      within: (innerScope: TenantScope) => within(database.within(innerScope), innerScope),
      get unscoped() {
        return within(database.unscoped, allTenants);
      },
      prisma: unusablePrisma('a dry run'),
    };
  }

  /** Rolls everything back and releases the connection. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    const client = await this.#client?.catch(() => undefined);
    if (!client) return;
    await executeOn(client, plainCommands.rollback).then(
      () => client.release(),
      (fault: Error) => client.release(fault),
    );
  }

  #sqlFor(before: Sql, build: SqlTemplate<Statement>, scope: TenantScope): Sql {
    const inTransaction = sqlOn(build, async (statement) =>
      executeInScope(await this.#open(), scope, statement),
    );
    return <R extends QueryResultRow>(...template: Parameters<SqlTemplate<void>>) =>
      (this.#client || this.#isEnded ? inTransaction : before)<R>(...template);
  }

  #open(): Promise<PoolClient> {
    // Work in the background may go on after the end.
    if (this.#isEnded) return Promise.reject(new Error('The dry run has ended'));
    this.#client ??= this.#begin();
    return this.#client;
  }

  async #begin(): Promise<PoolClient> {
    const client = await this.#connect();
    try {
      await executeOn(client, plainCommands.begin);
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      throw error;
    }
    const expire = () => this.#expired.reject(new Error('The dry run took too long'));
    this.#timer = setTimeout(expire, durationMsMax);
    return client;
  }
}

/** Another statement may have set another scope in the same transaction. */
function executeInScope(
  client: PoolClient,
  scope: TenantScope,
  statement: Statement,
): Promise<Row[]> {
  return new Promise((resolve, failed) => {
    const isScoped = client instanceof PooledClient && client.rlsActive;
    const setScope = { statement: localScopeStatement(scope), done: () => undefined, failed };
    const executed = {
      statement,
      done: ({ rows }: { rows: Row[] }) => resolve(rows),
      failed,
    };
    client.query(new Pipeline([...(isScoped ? [setScope] : []), executed]));
  });
}
