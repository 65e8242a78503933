import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { run, start, temporaryDirectory } from '../../support/process.ts';

export const serverUrl =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** The reason why pg_dump or Postgres cannot be used; undefined where both can. */
export async function postgresUnavailableReason(): Promise<string | undefined> {
  try {
    execFileSync('pg_dump', ['--version']);
  } catch {
    return 'pg_dump is not installed';
  }
  return query(serverUrl, 'select 1').then(
    () => undefined,
    () => 'no Postgres is reachable',
  );
}

export async function query<Row extends QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

export const origin = 'http://atrium.example';

/** Settings with high limits, and directories and databases that are removed at the end. */
export function openTestStorage() {
  const directory = temporaryDirectory();
  const databases: string[] = [];
  // Links contain the origin, so it must be the same after a restore.
  const commonSettings = {
    LOG_LEVEL: 'info',
    ORIGIN: origin,
    ORGANIZATION_KEY_LIMIT: '1000000',
    USER_KEY_LIMIT: '1000000',
    ORGANIZATION_LIMIT: '1000000',
    DATABASE_POOL: '4',
  };
  return {
    path: (name: string) => join(directory.path, name),
    embedded: (name: string) => ({ ...commonSettings, DATA_DIR: join(directory.path, name) }),
    /** Creates a database, empty or as a copy of one without open connections. */
    async postgres(name: string, source?: { DATABASE_URL: string }) {
      const database = `atrium_ship_${randomUUID().replaceAll('-', '')}`;
      const template = source ? `template ${new URL(source.DATABASE_URL).pathname.slice(1)}` : '';
      await query(serverUrl, `create database ${database} ${template}`);
      databases.push(database);
      return {
        ...commonSettings,
        DATA_DIR: join(directory.path, name),
        DATABASE_URL: Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href,
      };
    },
    async close() {
      for (const kill of runningServers) await kill();
      for (const database of databases)
        await query(serverUrl, `drop database if exists ${database} with (force)`);
      directory.remove();
    },
  };
}

/** Servers that are still running, so that they can be killed when a proof fails. */
const runningServers = new Set<() => Promise<void>>();

/** Runs a command of Atrium and returns its output. */
export async function command(
  file: string,
  settings: Record<string, string>,
  args: string[] = [],
): Promise<string> {
  const running = run(file, { ...settings, LOG_LEVEL: 'error' }, args);
  const code = await running.ended;
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${running.stderr()}`);
  return running.stdout();
}

export async function seed(settings: Record<string, string>): Promise<Workspace[]> {
  return JSON.parse(await command('src/commands/seed.ts', settings, ['--json'])).organizations;
}

export type ServerAnswer = { status: number; headers: Headers; bytes: Buffer };

export async function startServer(settings: Record<string, string>, components: string[] = []) {
  const server = await start(settings, components);
  const kill = async () => {
    server.process.kill('SIGKILL');
    await server.ended;
    runningServers.delete(kill);
  };
  runningServers.add(kill);
  const send = async (
    method: string,
    path: string,
    key: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ServerAnswer> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${server.address}${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };
  return {
    ...server,
    send,
    json: async (...requestArguments: Parameters<typeof send>) => {
      const { status, bytes } = await send(...requestArguments);
      if (status !== 200)
        throw new Error(
          `${requestArguments[0]} ${requestArguments[1]} answered ${status}: ${bytes}`,
        );
      return JSON.parse(bytes.toString());
    },
    kill,
  };
}

export type ShipServer = Awaited<ReturnType<typeof startServer>>;

export const filesOf = (assistantId: string, rest = '') =>
  `/api/assistant-files/v1/assistants/${assistantId}/files${rest}`;

/** Waits until every file of these assistants is processed. */
export async function waitUntilFilesProcessed(
  server: ShipServer,
  { users, assistants }: Workspace,
  seconds = 120,
): Promise<void> {
  const key = users[0]?.userKey ?? '';
  for (let triesLeft = seconds * 4; triesLeft > 0; triesLeft -= 1) {
    const files = (
      await Promise.all(assistants.map(({ id }) => server.json('GET', filesOf(id), key)))
    ).flatMap((list) => list.files);
    if (files.every(({ processingStatus }) => processingStatus === 'COMPLETED')) return;
    if (files.some(({ processingStatus }) => processingStatus === 'FAILED'))
      throw new Error('a file could not be processed');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`files were not processed within ${seconds} s`);
}
