import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { bringUpToDate } from '../../src/platform/database/migrations.ts';
import type { Server } from '../../src/platform/database/pooled-client.ts';
import { openPostgres } from '../../src/platform/database/postgres.ts';
import { migrationsHash } from './migrations-hash.ts';
import { quietLog } from './quiet-log.ts';

let template: Promise<string> | undefined;

/**
 * A database of its own, copied in 60 ms from one that is migrated once, and dropped when it is
 * closed.
 */
export async function copyOfTemplate(serverUrl: string): Promise<{ server: Server; url: string }> {
  template ??= makeTemplate(serverUrl);
  const { server, url } = await emptyDatabase(serverUrl, await template);
  return { server, url };
}

/** A database of its own without any table, or with those of a template. */
export async function emptyDatabase(
  serverUrl: string,
  from = 'template0',
): Promise<{ server: Server; url: string }> {
  const name = `atrium_test_${randomUUID().replaceAll('-', '')}`;
  await asAdministrator(serverUrl, (client) =>
    client.query(`create database ${name} template ${from}`),
  );
  const url = urlOf(serverUrl, name);
  const server = openPostgres({ databaseUrl: url, log: quietLog });
  const close = () =>
    asAdministrator(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
  return { url, server: { ...server, close: async () => void (await close()) } };
}

async function makeTemplate(serverUrl: string): Promise<string> {
  // Each role has one of its own: row-level security is a matter of who owns the tables.
  const name = `atrium_test_template_${await migrationsHash()}_${new URL(serverUrl).username || 'default'}`;
  await asAdministrator(serverUrl, async (client) => {
    // Held until the connection closes: workers ask at the same time.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rows } = await client.query(
      'select from pg_database where datname = $1 and datistemplate',
      [name],
    );
    if (rows.length > 0) return;
    await client.query(`drop database if exists ${name}`);
    await client.query(`create database ${name} template template0`);
    await bringUpToDate(
      openPostgres({ databaseUrl: urlOf(serverUrl, name), log: quietLog }),
      quietLog,
    );
    await client.query(`alter database ${name} with is_template true allow_connections false`);
  });
  return name;
}

async function asAdministrator<T>(
  serverUrl: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
