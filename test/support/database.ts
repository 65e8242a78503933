import { type Database, databaseOn } from '../../src/platform/database/database.ts';
import { createEmbeddedServer } from '../../src/platform/database/embedded.ts';
import { openPgliteInMemory } from '../../src/platform/database/pglite.ts';
import type { DatabaseServer } from '../../src/platform/database/pooled-client.ts';
import { embeddedTemplate } from './embedded-template.ts';
import { copyOfTemplate, emptyDatabase } from './postgres-template.ts';
import { quietLog } from './quiet-log.ts';

/**
 * The Postgres server for tests, whose user may create databases. Absent: the tests use the
 * embedded database in memory.
 */
export const serverUrl = process.env['TEST_DATABASE_URL'];

/** Creates a migrated database, which the caller closes. */
export async function testDatabase({ poolSize = 4 } = {}): Promise<Database & { url?: string }> {
  if (serverUrl === undefined) return embeddedDatabase({ poolSize });
  const { server, url } = await copyOfTemplate(serverUrl);
  return { ...databaseOn(server, { poolSize, log: quietLog }), url };
}

/** Creates a migrated database in this process, whichever database the other tests use. */
export async function embeddedDatabase({ poolSize = 4 } = {}): Promise<Database> {
  const server = createEmbeddedServer(await openPgliteInMemory(await embeddedTemplate()));
  return databaseOn(server, { poolSize, log: quietLog });
}

/** Creates a migrated database without opening it. */
export async function migratedServer(): Promise<DatabaseServer> {
  if (serverUrl !== undefined) return (await copyOfTemplate(serverUrl)).server;
  return createEmbeddedServer(await openPgliteInMemory(await embeddedTemplate()));
}

/** Creates a database without tables. */
export async function emptyServer(): Promise<DatabaseServer & { url?: string }> {
  if (serverUrl === undefined) return createEmbeddedServer(await openPgliteInMemory());
  const { server, url } = await emptyDatabase(serverUrl);
  return { ...server, url };
}
