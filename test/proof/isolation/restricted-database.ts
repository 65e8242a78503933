import { randomUUID } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { quietLog } from '../../support/quiet-log.ts';

/** A Postgres whose user may create roles and databases. */
export const administratorUrl =
  process.env['PROOF_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

type RunSql = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;

export type RestrictedDatabase = {
  /** Opens it as the application does: with a role that owns its tables and has no other rights. */
  open(): Promise<Database>;
  /** Opens the same tables as a superuser, whom row-level security does not restrict. */
  openAsAdministrator(): Promise<Database>;
  query<Row extends QueryResultRow>(sql: string): Promise<Row[]>;
  /** Runs statements as a superuser on one connection, for bulk inserts. */
  administer<T>(work: (run: RunSql) => Promise<T>): Promise<T>;
  drop(): Promise<void>;
};

/** Creates a database that belongs to a new role without further privileges. */
export async function createRestrictedDatabase(
  serverUrl = administratorUrl,
): Promise<RestrictedDatabase> {
  const name = `atrium_rls_${randomUUID().replaceAll('-', '')}`;
  const urlFor = (user: string, database: string) => {
    const url = new URL(serverUrl);
    if (user) Object.assign(url, { username: user, password: user });
    url.pathname = `/${database}`;
    return url.href;
  };
  const withClient = async <T>(url: string, work: (run: RunSql) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await work(async (text, values) => (await client.query(text, values)).rows);
    } finally {
      await client.end();
    }
  };
  await withClient(serverUrl, async (run) => {
    await run(`create role ${name} login password '${name}'`);
    await run(`create database ${name} owner ${name}`);
  });
  const open = (user: string) =>
    openDatabase({ databaseUrl: urlFor(user, name), dataDir: ':memory:', log: quietLog });
  return {
    open: () => open(name),
    openAsAdministrator: () => open(''),
    query: (sql) => withClient(urlFor(name, name), (run) => run(sql)),
    administer: (work) => withClient(urlFor('', name), work),
    drop: () =>
      withClient(serverUrl, async (run) => {
        await run(`drop database ${name} with (force)`);
        await run(`drop role ${name}`);
      }),
  };
}

/** Whether Postgres is reachable with a user who may create roles. */
export async function canCreateRoles(serverUrl = administratorUrl): Promise<boolean> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      'select from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)',
    );
    await client.end();
    return rows.length > 0;
  } catch {
    return false;
  }
}
