import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { bringUpToDate } from '../../src/platform/database/migrations.ts';
import type { DatabaseServer } from '../../src/platform/database/pooled-client.ts';
import { openPostgres } from '../../src/platform/database/postgres.ts';
import { migrationsHash } from './migrations-hash.ts';
import { quietLog } from './quiet-log.ts';

let template: Promise<string> | undefined;

/** Creates a database as a copy of a migrated template, which takes 60 ms; closing drops it. */
export async function copyOfTemplate(
  serverUrl: string,
): Promise<{ server: DatabaseServer; url: string }> {
  template ??= makeTemplate(serverUrl);
  const { server, url } = await emptyDatabase(serverUrl, await template);
  return { server, url };
}

/** Creates a database without tables, or with those of a template. `options` are those of SQL. */
export async function emptyDatabase(
  serverUrl: string,
  from = 'template0',
  options = '',
): Promise<{ server: DatabaseServer; url: string }> {
  const name = `atrium_test_${randomUUID().replaceAll('-', '')}`;
  await asAdministrator(serverUrl, (client) =>
    client.query(`create database ${name} template ${from} ${options}`),
  );
  const url = urlOf(serverUrl, name);
  const server = openPostgres({ databaseUrl: url, log: quietLog });
  const close = () =>
    asAdministrator(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
  return { url, server: { ...server, close: async () => void (await close()) } };
}

async function makeTemplate(serverUrl: string): Promise<string> {
  // There is one template per role, because row-level security depends on the owner of the tables.
  const name = `atrium_test_template_${await migrationsHash()}_${new URL(serverUrl).username || 'default'}`;
  await asAdministrator(serverUrl, async (client) => {
    // The lock is held until the connection closes, because several workers may create the template
    // at the same time.
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
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
