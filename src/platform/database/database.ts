import type { Prisma, PrismaClient } from './generated/client.ts';
import { startMaintenance } from './maintenance.ts';
import { bringUpToDate } from './migrations.ts';
import type { Server } from './pooled-client.ts';
import { openPostgres } from './postgres.ts';
import { createPrisma } from './prisma.ts';
import { createSql, type Sql } from './sql.ts';
import { timeLimit } from './time-limit.ts';

export type { Sql } from './sql.ts';

export type DatabaseLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

/** What the transactions of one request returned, in order: those of an earlier run that got no further, and a place for the next. */
export type Steps = {
  earlier: Uint8Array[];
  keep(tx: Prisma.TransactionClient, result: Uint8Array): Promise<void>;
};

export type Database = {
  kind: 'postgres' | 'embedded';
  prisma: PrismaClient;
  /** Hot reads, as prepared statements: sql<Row>`select … ${value}`. Values are bound, never written into the text. */
  sql: Sql;
  /** The same, planned anew for each set of values: a prepared LIKE turns to a plan that ignores the pattern. */
  searchSql: Sql;
  /** A round trip; rejects when the database does not answer within two seconds. */
  ping(): Promise<void>;
  close(): Promise<void>;
  /** Set for a request that its sender may send again: what it wrote once it does not write twice. */
  steps?: Steps;
};

export type DatabaseOptions = {
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl?: string | undefined;
  /** `:memory:` keeps the embedded database in memory. */
  dataDir: string;
  poolSize?: number;
  log: DatabaseLog;
};

const pingMs = 2000;

/** Opens the database and brings its tables up to date; the first of several processes does, the others wait for it. */
export async function openDatabase({ databaseUrl, dataDir, poolSize = 4, log }: DatabaseOptions): Promise<Database> {
  const server = await openServer({ databaseUrl, dataDir, log });
  try {
    await bringUpToDate(server, log);
    return databaseOn(server, { poolSize, log });
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** A database whose tables are known to be up to date. */
export function databaseOn(server: Server, { poolSize, log }: { poolSize: number; log: DatabaseLog }): Database {
  const pool = server.openPool(poolSize);
  const prisma = createPrisma(pool);
  const stopMaintenance = server.kind === 'embedded' ? startMaintenance(pool, log) : () => undefined;
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
  return {
    kind: server.kind,
    prisma,
    ...createSql(pool),
    ping: async () => void (await timeLimit(pool.query('select 1'), pingMs, `The database did not answer within ${pingMs} ms`)),
    close: () => (closing ??= close()),
  };
}

export async function openServer({ databaseUrl, dataDir, log }: Omit<DatabaseOptions, 'poolSize'>): Promise<Server> {
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, log });
  // PGlite is a program of 20 MB that nobody with a Postgres needs.
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(dataDir);
}
