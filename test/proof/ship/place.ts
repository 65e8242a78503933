import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { run, start, temporaryDirectory } from '../../support/process.ts';

export const serverUrl =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Whether pg_dump is here and a Postgres that we may make databases in; else why not. */
export async function whyNoPostgres(): Promise<string | undefined> {
  try {
    execFileSync('pg_dump', ['--version']);
  } catch {
    return 'pg_dump is not on this machine';
  }
  return query(serverUrl, 'select 1').then(
    () => undefined,
    () => 'there is no Postgres on this machine',
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

/**
 * Settings with which nobody is stopped by a limit, and places of our own that are gone at the end.
 */
export function openGround() {
  const directory = temporaryDirectory();
  const databases: string[] = [];
  // Links tell the address of the people's page: the same wherever it is restored.
  const common = {
    LOG_LEVEL: 'info',
    ORIGIN: origin,
    ORGANIZATION_KEY_LIMIT: '1000000',
    USER_KEY_LIMIT: '1000000',
    ORGANIZATION_LIMIT: '1000000',
    DATABASE_POOL: '4',
  };
  return {
    path: (name: string) => join(directory.path, name),
    embedded: (name: string) => ({ ...common, DATA_DIR: join(directory.path, name) }),
    /** A database of its own, empty or a copy of another that nobody has open. */
    async postgres(name: string, copied?: { DATABASE_URL: string }) {
      const database = `atrium_ship_${randomUUID().replaceAll('-', '')}`;
      const template = copied ? `template ${new URL(copied.DATABASE_URL).pathname.slice(1)}` : '';
      await query(serverUrl, `create database ${database} ${template}`);
      databases.push(database);
      return {
        ...common,
        DATA_DIR: join(directory.path, name),
        DATABASE_URL: Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href,
      };
    },
    async close() {
      for (const kill of stillRunning) await kill();
      for (const database of databases)
        await query(serverUrl, `drop database if exists ${database} with (force)`);
      directory.remove();
    },
  };
}

/** What a proof that fails leaves running. */
const stillRunning = new Set<() => Promise<void>>();

/** Runs a command of ours, and hands back what it printed. */
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
  return JSON.parse(await command('src/seed.ts', settings, ['--json'])).organizations;
}

export type Asked = { status: number; headers: Headers; bytes: Buffer };

export async function startOn(settings: Record<string, string>, parts: string[] = []) {
  const server = await start(settings, parts);
  const kill = async () => {
    server.process.kill('SIGKILL');
    await server.ended;
    stillRunning.delete(kill);
  };
  stillRunning.add(kill);
  const send = async (
    method: string,
    path: string,
    key: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Asked> => {
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
    json: async (...asked: Parameters<typeof send>) => {
      const { status, bytes } = await send(...asked);
      if (status !== 200) throw new Error(`${asked[0]} ${asked[1]} answered ${status}: ${bytes}`);
      return JSON.parse(bytes.toString());
    },
    kill,
  };
}

export type Place = Awaited<ReturnType<typeof startOn>>;

export const filesOf = (assistantId: string, rest = '') =>
  `/api/assistant-files/v1/assistants/${assistantId}/files${rest}`;

/** Until every file of these assistants can be asked about. */
export async function everyFileRead(
  place: Place,
  { users, assistants }: Workspace,
  seconds = 120,
): Promise<void> {
  const key = users[0]?.userKey ?? '';
  for (let left = seconds * 4; left > 0; left -= 1) {
    const files = (
      await Promise.all(assistants.map(({ id }) => place.json('GET', filesOf(id), key)))
    ).flatMap((list) => list.files);
    if (files.every(({ processingStatus }) => processingStatus === 'COMPLETED')) return;
    if (files.some(({ processingStatus }) => processingStatus === 'FAILED'))
      throw new Error('a file failed to be read');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`files were not read within ${seconds} s`);
}
