import { type Database, databaseOn } from '../../src/platform/database/database.ts';
import { openPglite, serverOn } from '../../src/platform/database/embedded.ts';
import type { Server } from '../../src/platform/database/pooled-client.ts';
import { embeddedTemplate } from './embedded-template.ts';
import { copyOfTemplate, emptyDatabase } from './postgres-template.ts';
import { quietLog } from './quiet-log.ts';

/**
 * The Postgres server for tests, whose user may create databases. Absent: they run on the embedded
 * database, in memory.
 */
export const serverUrl = process.env['TEST_DATABASE_URL'];

/** A fresh database with every migration, for the caller to close. */
export async function testDatabase({ poolSize = 4 } = {}): Promise<Database & { url?: string }> {
  if (serverUrl === undefined)
    return databaseOn(serverOn(await openPglite('memory://', await embeddedTemplate())), {
      poolSize,
      log: quietLog,
    });
  const { server, url } = await copyOfTemplate(serverUrl);
  return { ...databaseOn(server, { poolSize, log: quietLog }), url };
}

/** A database without any table, for tests of what fills it. */
export async function emptyServer(): Promise<Server & { url?: string }> {
  if (serverUrl === undefined) return serverOn(await openPglite('memory://'));
  const { server, url } = await emptyDatabase(serverUrl);
  return { ...server, url };
}
