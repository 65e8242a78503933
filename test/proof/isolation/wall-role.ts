import { randomUUID } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { quietLog } from '../../support/quiet-log.ts';

/** A Postgres whose user may make roles and databases. */
export const administratorUrl =
  process.env['PROOF_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

type Run = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;

export type WalledDatabase = {
  /**
   * As the application opens it: by the role that owns its tables and is nothing more than that.
   */
  open(): Promise<Database>;
  /** The same tables with no wall before them: for what is put there, and for what is compared. */
  openAsAdministrator(): Promise<Database>;
  ask<Row extends QueryResultRow>(sql: string): Promise<Row[]>;
  /** One connection with all rights, for what is laid out there in bulk. */
  administer<T>(work: (run: Run) => Promise<T>): Promise<T>;
  drop(): Promise<void>;
};

/** A database that is owned by a new role without any privilege of its own. */
export async function walledDatabase(serverUrl = administratorUrl): Promise<WalledDatabase> {
  const name = `atrium_wall_${randomUUID().replaceAll('-', '')}`;
  const at = (user: string, database: string) => {
    const url = new URL(serverUrl);
    if (user) Object.assign(url, { username: user, password: user });
    url.pathname = `/${database}`;
    return url.href;
  };
  const on = async <T>(url: string, work: (run: Run) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await work(async (text, values) => (await client.query(text, values)).rows);
    } finally {
      await client.end();
    }
  };
  await on(serverUrl, async (run) => {
    await run(`create role ${name} login password '${name}'`);
    await run(`create database ${name} owner ${name}`);
  });
  const open = (user: string) =>
    openDatabase({ databaseUrl: at(user, name), dataDir: ':memory:', log: quietLog });
  return {
    open: () => open(name),
    openAsAdministrator: () => open(''),
    ask: (sql) => on(at(name, name), (run) => run(sql)),
    administer: (work) => on(at('', name), work),
    drop: () =>
      on(serverUrl, async (run) => {
        await run(`drop database ${name} with (force)`);
        await run(`drop role ${name}`);
      }),
  };
}

/** Whether there is such a Postgres, with a user who may make roles. */
export async function isReachable(serverUrl = administratorUrl): Promise<boolean> {
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
