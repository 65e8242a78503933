import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type Database, databaseOn } from '../../../src/platform/database/database.ts';
import { createEmbeddedServer } from '../../../src/platform/database/embedded.ts';
import { openPglite } from '../../../src/platform/database/pglite.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';

export const serverUrl =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const highLimit = '1000000';
const disconnectMsMax = 15_000;

export const generousLimits = {
  ORGANIZATION_KEY_LIMIT: highLimit,
  USER_KEY_LIMIT: highLimit,
  ORGANIZATION_LIMIT: highLimit,
  ANONYMOUS_LIMIT: highLimit,
  VAULT_ORGANIZATION_LIMIT: highLimit,
  VAULT_PERSON_LIMIT: highLimit,
  QUOTA_RUNS: highLimit,
  QUOTA_UPLOADS: highLimit,
};

export type DataLocation = Awaited<ReturnType<typeof openDataLocation>>;
export type DatabaseKind = Database['kind'];

/** The data of a server over many starts, with access to its tables while it is not running. */
export async function openDataLocation(kind: DatabaseKind) {
  const directory = temporaryDirectory();
  const postgres = kind === 'postgres' ? await emptyDatabase(serverUrl) : undefined;
  const settings = {
    DATA_DIR: directory.path,
    ...generousLimits,
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  };

  return {
    settings,
    directory: directory.path,
    /** Opens the tables as a killed server left them. The server must have exited. */
    async withDatabase<T>(read: (database: Database) => Promise<T>): Promise<T> {
      const database = postgres
        ? await openAfterDisconnect(postgres.url)
        : await openCopy(directory.path);
      try {
        return await read(database);
      } finally {
        await database.close();
      }
    },
    async close() {
      await postgres?.server.close();
      directory.remove();
    },
  };
}

// Postgres still executes what a killed process had sent, so this waits until its connections end.
async function openAfterDisconnect(url: string): Promise<Database> {
  const client = new Client(url);
  await client.connect();
  try {
    for (let waitedMs = 0; ; waitedMs += 50) {
      const { rows } = await client.query(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      if (rows.length === 0) break;
      if (waitedMs > disconnectMsMax)
        throw new Error(`${rows.length} connections are open after their process exited`);
      await pause(50);
    }
  } finally {
    await client.end();
  }
  return databaseOn(openPostgres({ databaseUrl: url, log: quietLog }), {
    poolSize: 2,
    log: quietLog,
  });
}

// Opens a copy, so that the server itself recovers the database and not this check.
async function openCopy(directory: string): Promise<Database> {
  const copy = `${directory}-copy`;
  await rm(copy, { recursive: true, force: true });
  await cp(join(directory, 'database'), copy, { recursive: true });
  const database = databaseOn(createEmbeddedServer(await openPglite(copy)), {
    poolSize: 1,
    log: quietLog,
  });
  const close = async () => {
    await database.close();
    await rm(copy, { recursive: true, force: true });
  };
  return { ...database, close };
}
