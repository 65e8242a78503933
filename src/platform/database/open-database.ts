import { type Database, databaseOn } from './database.ts';
import type { DatabaseLog } from './database-log.ts';
import { bringUpToDate } from './migrations.ts';
import type { DatabaseServer } from './pooled-client.ts';
import { openPostgres } from './postgres.ts';
import { retryUntilReachable, serverWaitMs } from './retry-until-reachable.ts';

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
