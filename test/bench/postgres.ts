import pg from 'pg';
import { openDatabase } from '../../src/platform/database/open-database.ts';

export const silent = { info() {}, warn() {} };

export type BenchServer = Awaited<ReturnType<typeof openBenchServer>>;
export type BenchDatabase = {
  url: string;
  run<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
};

/**
 * Opens the Postgres server of the benchmark. Its databases begin with `atrium_bench_` and are
 * dropped at the end.
 */
export async function openBenchServer(serverUrl: string) {
  const server = new pg.Client(serverUrl);
  await server.connect();
  const { rows } = await server.query<{ server_version: string }>('show server_version');
  const clients: pg.Client[] = [];
  const names: string[] = [];

  async function createEmptyDatabase(label: string): Promise<BenchDatabase> {
    const name = `atrium_bench_${process.pid}_${label}`;
    await server.query(`create database ${name}`);
    names.push(name);
    const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
    const client = new pg.Client(url);
    await client.connect();
    clients.push(client);
    return {
      url,
      run: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
        (await client.query<Row>(text, values)).rows,
    };
  }

  return {
    version: rows[0]?.server_version ?? 'unknown',
    createEmptyDatabase,
    /** Creates a database with the tables of the application. */
    async createDatabase(label: string): Promise<BenchDatabase> {
      const database = await createEmptyDatabase(label);
      const { url } = database;
      await (await openDatabase({ databaseUrl: url, dataDir: 'unused', log: silent })).close();
      return database;
    },
    async close(): Promise<void> {
      for (const client of clients) await client.end();
      for (const name of names) await server.query(`drop database if exists ${name} with (force)`);
      await server.end();
    },
  };
}
