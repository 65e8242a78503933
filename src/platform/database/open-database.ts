import { setTimeout as pause } from 'node:timers/promises';
import { type Database, databaseOn } from './database.ts';
import type { DatabaseLog } from './database-log.ts';
import { isUnavailable } from './faults.ts';
import { bringUpToDate } from './migrations.ts';
import type { DatabaseServer } from './pooled-client.ts';
import { openPostgres } from './postgres.ts';

type DatabaseOptions = {
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl?: string | undefined;
  /** `:memory:` keeps the embedded database in memory. */
  dataDir: string;
  poolSize?: number;
  /** For commands whose queries may take long: no query timeout. */
  isPatient?: boolean;
  /**
   * For programs that start together with their database or before it: they wait up to two minutes
   * until the server can be reached.
   */
  waitsForServer?: boolean;
  log: DatabaseLog;
};

const serverWaitMs = 120_000;
const firstPauseMs = 250;
const pauseMsMax = 4_000;

/**
 * Opens the database and applies missing migrations. The first of several processes applies them
 * while the others wait.
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
    await retryUntilReachable(
      () => bringUpToDate(server, log),
      waitsForServer ? serverWaitMs : 0,
      log,
    );
    return databaseOn(server, { poolSize, isPatient, log });
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Retries only if the server cannot be reached or is starting. A wrong setting fails at once. */
async function retryUntilReachable(
  attempt: () => Promise<unknown>,
  waitMs: number,
  log: DatabaseLog,
): Promise<void> {
  const endsAt = performance.now() + waitMs;
  for (let retryInMs = firstPauseMs; ; retryInMs = Math.min(2 * retryInMs, pauseMsMax)) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + retryInMs > endsAt) throw error;
      log.warn({ err: error, retryInMs }, 'the database cannot be reached yet');
    }
    await pause(retryInMs);
  }
}

export async function openServer({
  databaseUrl,
  dataDir,
  log,
}: Pick<DatabaseOptions, 'databaseUrl' | 'dataDir' | 'log'>): Promise<DatabaseServer> {
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, log });
  // PGlite is 20 MB, and installations with a Postgres server do not load it.
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(dataDir);
}
