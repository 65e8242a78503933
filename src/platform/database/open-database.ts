import { type Database, databaseOn } from './database.ts';
import type { DatabaseLog } from './database-log.ts';
import { driverFault } from './driver-fault.ts';
import { isUnavailable } from './faults.ts';
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
    throw databaseUrl === undefined ? error : connectionFault(error);
  }
}

// PostgreSQL, appendix A: the database does not exist; the password or the role is wrong.
const wrongAddressStates = new Set(['3D000', '28P01', '28000']);

/**
 * Names the setting, if the server cannot be reached or refuses the connection. The error is still
 * recognized by its code.
 */
function connectionFault(error: unknown): unknown {
  const { state, message, systemCode } = driverFault(error);
  const isWrong = state !== undefined && wrongAddressStates.has(state);
  if (!isWrong && !isUnavailable(error)) return error;
  const answer = isWrong ? 'refuses the connection' : 'cannot be reached';
  const { code, severity } = Object(error);
  return Object.assign(
    new Error(`DATABASE_URL: the server ${answer}: ${message || systemCode}`, { cause: error }),
    { code, severity },
  );
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
