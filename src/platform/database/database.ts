import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from './faults.ts';
import type { Prisma, PrismaClient } from './generated/client.ts';
import { startMaintenance } from './maintenance.ts';
import { bringUpToDate } from './migrations.ts';
import type { Server } from './pooled-client.ts';
import { openPostgres } from './postgres.ts';
import { createPrisma } from './prisma.ts';
import type { Scope } from './scope.ts';
import { ScopedPool } from './scoped-pool.ts';
import { scopedPrisma } from './scoped-prisma.ts';
import { SharedReads } from './shared-reads.ts';
import { createSql, type Sql } from './sql.ts';
import { timeLimit } from './time-limit.ts';

export type { Sql } from './sql.ts';

export type DatabaseLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

/**
 * What the transactions of one request returned, in order: those of an earlier run that got no
 * further, and a place for the next.
 */
export type CommittedResults = {
  earlier: Uint8Array[];
  keep(tx: Prisma.TransactionClient, result: Uint8Array): Promise<void>;
};

export type Database = {
  kind: 'postgres' | 'embedded';
  prisma: PrismaClient;
  /**
   * Hot reads, as prepared statements: sql<Row>`select … ${value}`. Values are bound, never written
   * into the text.
   */
  sql: Sql;
  /**
   * The same, planned anew for each set of values: a prepared LIKE turns to a plan that ignores the
   * pattern.
   */
  searchSql: Sql;
  /** Connections of this process, those of them that nobody uses, and who waits for one. */
  connections(): { open: number; idle: number; waiting: number };
  /** A round trip; rejects when the database does not answer within two seconds. */
  ping(): Promise<void>;
  close(): Promise<void>;
  /**
   * The same for an organization and a person, who are shown nothing else where row-level security
   * holds for our role.
   */
  within(scope: Scope): Database;
  /**
   * Whether it is narrowed by row-level security: a LIKE then finds nothing in an index, because it
   * could tell of rows behind the wall.
   */
  rlsActive: boolean;
  /**
   * Whether row-level security is in force for the role of DATABASE_URL; known after the first
   * statement.
   */
  hasRowLevelSecurity(): boolean;
  /** Itself before it was narrowed: what is asked of it must belong to no single organization. */
  readonly unscoped: Database;
  /**
   * Set for a request that its sender may send again: what it wrote once it does not write twice.
   */
  steps?: CommittedResults;
};

export type DatabaseOptions = {
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl?: string | undefined;
  /** `:memory:` keeps the embedded database in memory. */
  dataDir: string;
  poolSize?: number;
  /** For a command that may well ask something that takes long. */
  isPatient?: boolean;
  /**
   * For what is started together with its database, or before it: for two minutes it waits for a
   * server that is not there yet.
   */
  waitsForServer?: boolean;
  log: DatabaseLog;
};

const pingMs = 2000;
// No statement of a request takes this long; a server that keeps its connections and answers
// nothing is known by it.
const answerMs = 9_000;
const serverWaitMs = 120_000;
const firstPauseMs = 250;
const pauseMsMax = 4_000;

/**
 * Opens the database and brings its tables up to date; the first of several processes does, the
 * others wait for it.
 */
export async function openDatabase({
  databaseUrl,
  dataDir,
  poolSize = 4,
  isPatient = false,
  waitsForServer = false,
  log,
}: DatabaseOptions): Promise<Database> {
  const server = await openServer({ databaseUrl, dataDir, log });
  try {
    await onceThere(() => bringUpToDate(server, log), waitsForServer ? serverWaitMs : 0, log);
    return databaseOn(server, { poolSize, isPatient, log });
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * What a setting has wrong is told at once: only for a server that is away, or is starting itself,
 * it is worth waiting.
 */
async function onceThere(
  ask: () => Promise<unknown>,
  waitMs: number,
  log: DatabaseLog,
): Promise<void> {
  const endsAt = performance.now() + waitMs;
  for (let againInMs = firstPauseMs; ; againInMs = Math.min(2 * againInMs, pauseMsMax)) {
    try {
      await ask();
      return;
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + againInMs > endsAt) throw error;
      log.warn({ err: error, againInMs }, 'the database cannot be reached yet');
    }
    await pause(againInMs);
  }
}

/** A database whose tables are known to be up to date. */
type On = { poolSize: number; isPatient?: boolean; log: DatabaseLog };

export function databaseOn(server: Server, { poolSize, isPatient = false, log }: On): Database {
  const pool = server.openPool(poolSize, isPatient ? undefined : answerMs);
  const prisma = createPrisma(pool);
  const stopMaintenance =
    server.kind === 'embedded' ? startMaintenance(pool, log) : () => undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    stopMaintenance();
    await prisma.$disconnect();
    try {
      if (server.kind === 'embedded') await pool.query('checkpoint');
    } finally {
      await pool.end();
      await server.close();
    }
  };
  const createSqlClients = createSql();
  const reads = new SharedReads(pool, poolSize);
  const unscoped: Database = {
    kind: server.kind,
    prisma,
    ...createSqlClients(
      server.kind === 'postgres' ? (query) => reads.ask(query) : (query) => pool.query(query),
    ),
    rlsActive: false,
    hasRowLevelSecurity: () => pool instanceof ScopedPool && pool.rlsActive === true,
    within: (scope) =>
      pool instanceof ScopedPool && pool.rlsActive !== false ? narrowed(pool, scope) : unscoped,
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
    close: () => (closing ??= close()),
  };
  const narrowed = (scoped: ScopedPool, scope: Scope): Database => {
    let own: PrismaClient | undefined;
    return {
      ...unscoped,
      rlsActive: true,
      ...createSqlClients((query) => scoped.queryFor(scope, query)),
      get prisma() {
        own ??= scopedPrisma(prisma, scope);
        return own;
      },
    };
  };
  return unscoped;
}

/** For a rule whose sender is one organization's, and whose matter is not: each use says why. */
export function unscopedDatabase({ unscoped, steps }: Database): Database {
  return steps ? { ...unscoped, steps } : unscoped;
}

export async function openServer({
  databaseUrl,
  dataDir,
  log,
}: Pick<DatabaseOptions, 'databaseUrl' | 'dataDir' | 'log'>): Promise<Server> {
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, log });
  // PGlite is a program of 20 MB that nobody with a Postgres needs.
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(dataDir);
}
