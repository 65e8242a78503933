import type { Database } from '../platform/database/database.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import type { Env } from '../platform/env.ts';
import { createErrorLog } from '../platform/log.ts';

/** Runs work with the database of the settings. `isPatient`: its queries may take long. */
export async function withDatabase<T>(
  env: Env,
  work: (database: Database) => Promise<T>,
  { isPatient = false } = {},
): Promise<T> {
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    isPatient,
    log: createErrorLog(env),
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
