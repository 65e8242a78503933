import type { DatabaseLog } from './database-log.ts';
import { inStatementSpan, inTransactionSpan } from './database-spans.ts';
import { executeAndRelease, SharedReads } from './driver/shared-reads.ts';
import type { Statement } from './driver/statement.ts';
import type { PrismaClient } from './generated/client.ts';
import { startMaintenance } from './maintenance.ts';
import {
  plainCommands,
  repeatableReadCommands,
  runTransaction,
  type Transaction,
} from './open-transaction.ts';
import type { DatabaseServer } from './pooled-client.ts';
import { createPrisma } from './prisma.ts';
import { rehearse } from './rehearsal.ts';
import { allTenants, type TenantScope } from './scope.ts';
import { ScopedPool } from './scoped-pool.ts';
import { scopedPrisma } from './scoped-prisma.ts';
import { createStatementBuilder, type Sql, sqlOn } from './sql.ts';
import { timeLimit } from './time-limit.ts';

export type { Sql } from './sql.ts';

/**
 * Results of the transactions of an idempotent request. `pending` holds the results that an
 * earlier, interrupted run committed, in order; `save` adds the next one.
 */
export type CommittedResults = {
  pending: Uint8Array[];
  save(tx: Transaction, result: Uint8Array): Promise<void>;
};

/** A condition of a request on the state of what it changes, such as If-Match. */
export type Precondition = {
  /** Throws if the condition is false. Reads with `tx`, in the transaction of the first change. */
  check(tx: Transaction): Promise<void>;
  /** Whether a transaction that checked it was committed. */
  isChecked: boolean;
};

export type TransactionChoices = {
  /** A change by another transaction since the first statement makes the transaction fail. */
  isRepeatableRead?: boolean;
};

export type Database = {
  kind: 'postgres' | 'embedded';
  prisma: PrismaClient;
  /**
   * Runs frequent reads as prepared statements: sql<Row>`select … ${value}`. Values are bound as
   * parameters, never inserted into the text.
   */
  sql: Sql;
  /**
   * The same without prepared statements, so that Postgres plans each call for its values: the
   * generic plan of a prepared LIKE ignores the pattern.
   */
  searchSql: Sql;
  /** Runs a transaction once. Rules call `inTransaction`, which also repeats it after a conflict. */
  transact<T>(run: (tx: Transaction) => T | Promise<T>, choices?: TransactionChoices): Promise<T>;
  /** Runs work as usual, with a database whose changes are rolled back at the end. */
  rehearse<T>(run: (database: Database) => Promise<T>): Promise<T>;
  /** Open connections of this process, idle ones among them, and requests that wait for one. */
  connections(): { open: number; idle: number; waiting: number };
  /** Checks the connection; rejects if the database does not answer within two seconds. */
  ping(): Promise<void>;
  close(): Promise<void>;
  /**
   * The database for one organization and person. If row-level security applies to the database
   * role, only their rows are visible.
   */
  within(scope: TenantScope): Database;
  /**
   * Whether row-level security restricts this database object. LIKE then uses no index, because the
   * operator is not leakproof and could reveal hidden rows.
   */
  rlsActive: boolean;
  /**
   * Whether row-level security applies to the role of DATABASE_URL. Known after the first
   * statement.
   */
  hasRowLevelSecurity(): boolean;
  /** The database without tenant scope, for queries that belong to no single organization. */
  readonly unscoped: Database;
  /** Set for an idempotent request, so that a repetition does not write twice. */
  committedResults?: CommittedResults;
  /** Set for a request that changes a resource only in a certain state. */
  precondition?: Precondition;
};

const pingMs = 2000;
// For a transaction, which holds a connection for longer than a statement.
const connectMs = 5_000;
// No statement of a request takes this long, so a server that keeps its connections open without
// answering is detected.
const queryTimeoutMs = 9_000;

type DatabaseConnectionOptions = { poolSize: number; isPatient?: boolean; log: DatabaseLog };

export function databaseOn(
  server: DatabaseServer,
  { poolSize, isPatient = false, log }: DatabaseConnectionOptions,
): Database {
  const pool = server.openPool(poolSize, isPatient ? undefined : queryTimeoutMs);
  const prisma = createPrisma(pool);
  const stopMaintenance =
    server.kind === 'embedded' ? startMaintenance(pool, log, server) : () => undefined;
  let closed: Promise<void> | undefined;
  const close = async () => {
    stopMaintenance();
    await prisma.$disconnect();
    try {
      const isCheckpointDue =
        server.kind === 'embedded' && ((await server.hasSpaceForCheckpoint?.()) ?? true);
      if (isCheckpointDue) await pool.query('checkpoint');
    } finally {
      await pool.end();
      await server.close();
    }
  };
  const statements = createStatementBuilder();
  const { prepared, plannedEachTime } = statements;
  const reads = new SharedReads(pool);
  const execute = (statement: Statement) =>
    inStatementSpan(statement.text, () => reads.execute(statement));
  const connect = async () => {
    const connecting = pool instanceof ScopedPool ? pool.connectForTransaction() : pool.connect();
    return timeLimit(connecting, connectMs, 'No database connection was free in time').catch(
      (error: unknown) => {
        connecting.then(
          (late) => late.release(),
          () => undefined,
        );
        throw error;
      },
    );
  };
  const transactIn = async <T>(
    scope: TenantScope,
    run: (tx: Transaction) => T | Promise<T>,
    { isRepeatableRead = false }: TransactionChoices = {},
  ): Promise<T> => {
    const commands = isRepeatableRead ? repeatableReadCommands : plainCommands;
    return inTransactionSpan(prepared, async (build) =>
      runTransaction(await connect(), { build, scope, commands }, run),
    );
  };
  const unscoped: Database = {
    kind: server.kind,
    prisma,
    sql: sqlOn(prepared, execute),
    searchSql: sqlOn(plannedEachTime, execute),
    transact: (run, choices) => transactIn(allTenants, run, choices),
    rehearse: (run) =>
      rehearse(run, { database: unscoped, scope: allTenants, connect, statements }),
    rlsActive: false,
    hasRowLevelSecurity: () => pool instanceof ScopedPool && pool.rlsActive === true,
    within: (scope) =>
      pool instanceof ScopedPool && pool.rlsActive !== false
        ? scopedDatabase(pool, scope)
        : unscoped,
    get unscoped() {
      return unscoped;
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + reads.waiting,
    }),
    ping: async () =>
      void (await timeLimit(
        pool.query('select 1'),
        pingMs,
        `The database did not answer within ${pingMs} ms`,
      )),
    close: () => (closed ??= close()),
  };
  const scopedDatabase = (scoped: ScopedPool, scope: TenantScope): Database => {
    let ownPrisma: PrismaClient | undefined;
    const executeScoped = (statement: Statement) =>
      inStatementSpan(statement.text, async () =>
        executeAndRelease(await scoped.connectFor(scope), statement),
      );
    const database: Database = {
      ...unscoped,
      rlsActive: true,
      sql: sqlOn(prepared, executeScoped),
      searchSql: sqlOn(plannedEachTime, executeScoped),
      transact: (run, choices) => transactIn(scope, run, choices),
      rehearse: (run) => rehearse(run, { database, scope, connect, statements }),
      get prisma() {
        ownPrisma ??= scopedPrisma(prisma, scope);
        return ownPrisma;
      },
    };
    return database;
  };
  return unscoped;
}

/**
 * For rules that are called by a member of one organization but need rows outside of it. Each use
 * states the reason.
 */
export function unscopedDatabase({ unscoped, committedResults }: Database): Database {
  return committedResults ? { ...unscoped, committedResults } : unscoped;
}
