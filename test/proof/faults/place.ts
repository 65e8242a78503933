import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type Database, databaseOn } from '../../../src/platform/database/database.ts';
import { openPglite, serverOn } from '../../../src/platform/database/embedded.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';

export const serverUrl =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const many = '1000000';
const leavingMs = 15_000;

export const generous = {
  ORGANIZATION_KEY_LIMIT: many,
  USER_KEY_LIMIT: many,
  ORGANIZATION_LIMIT: many,
  ANONYMOUS_LIMIT: many,
  VAULT_ORGANIZATION_LIMIT: many,
  VAULT_PERSON_LIMIT: many,
  QUOTA_RUNS: many,
  QUOTA_UPLOADS: many,
};

export type Place = Awaited<ReturnType<typeof openPlace>>;
export type Kind = Database['kind'];

/** Where a program keeps its data over many lives, and a look at its tables between them. */
export async function openPlace(kind: Kind) {
  const directory = temporaryDirectory();
  const postgres = kind === 'postgres' ? await emptyDatabase(serverUrl) : undefined;
  const settings = {
    DATA_DIR: directory.path,
    ...generous,
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  };

  return {
    settings,
    directory: directory.path,
    /** The tables as a killed program has left them. It must be dead. */
    async look<T>(read: (database: Database) => Promise<T>): Promise<T> {
      const database = postgres ? await afterItsLast(postgres.url) : await copyOf(directory.path);
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

// What a dead process had sent before its end, Postgres still does.
async function afterItsLast(url: string): Promise<Database> {
  const client = new Client(url);
  await client.connect();
  try {
    for (let waited = 0; ; waited += 50) {
      const { rows } = await client.query(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      if (rows.length === 0) break;
      if (waited > leavingMs)
        throw new Error(`${rows.length} connections have outlived their process`);
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

// A copy, so that what a kill has left is put right by the program and not by whoever looks.
async function copyOf(directory: string): Promise<Database> {
  const copy = `${directory}-copy`;
  await rm(copy, { recursive: true, force: true });
  await cp(join(directory, 'database'), copy, { recursive: true });
  const database = databaseOn(serverOn(await openPglite(copy)), { poolSize: 1, log: quietLog });
  const close = async () => {
    await database.close();
    await rm(copy, { recursive: true, force: true });
  };
  return { ...database, close };
}
