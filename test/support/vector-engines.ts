import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { startPgliteServer } from './pglite-server.ts';
import { temporaryDirectory } from './process.ts';
import { proxyTo } from './proxy-to.ts';
import { withClient } from './with-client.ts';

/** A Postgres with pgvector in which tests may create schemas, roles and databases. */
export const pgvectorUrl = process.env['TEST_PGVECTOR_URL'];

export type VectorLocation = Awaited<ReturnType<typeof directoryFor>>;

/** Every engine of the vector database, with an empty location for it. */
export const vectorEngines: { name: string; open: () => Promise<VectorLocation> }[] = [
  { name: 'sqlite', open: () => directoryFor('sqlite') },
  { name: 'lance', open: () => directoryFor('lance') },
  {
    name: 'postgres in this process',
    open: async () => {
      const server = await startPgliteServer();
      return schemaOf(server.url, server.close);
    },
  },
  ...(pgvectorUrl === undefined
    ? []
    : [{ name: 'postgres', open: () => schemaOfRole(pgvectorUrl) }]),
];

async function directoryFor(engine: 'sqlite' | 'lance' | 'postgres') {
  const directory = temporaryDirectory();
  const location = join(directory.path, 'vectors');
  const storageOptions: Record<string, string> = {};
  return {
    engine,
    location,
    storageOptions,
    /** Puts the storage out of reach. */
    hide: () => rename(location, `${location}-away`),
    show: () => rename(`${location}-away`, location),
    /** Which of the words are in which files or tables. */
    placesWith: async (...words: string[]): Promise<string[]> =>
      readdirSync(location, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .flatMap((entry) => {
          const bytes = bytesOf(join(entry.parentPath, entry.name));
          return words
            .filter((word) => bytes.includes(word))
            .map((word) => `${word} in ${entry.name}`);
        }),
    bytesUsed: async (): Promise<number> =>
      readdirSync(location, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath, entry.name)), 0),
    remove: async () => directory.remove(),
  };
}

// A file can go between the list and the look at it.
const bytesOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
};
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** An empty schema of a Postgres, behind a proxy that can refuse connections. */
export async function schemaOf(
  url: string,
  close: () => Promise<void>,
): Promise<VectorLocation & { url: string; schema: string }> {
  const proxy = await proxyTo(url);
  const schema = `vectors_${randomUUID().replaceAll('-', '')}`;
  return {
    engine: 'postgres',
    location: proxy.url,
    storageOptions: { schema },
    url,
    schema,
    hide: async () => proxy.refuse(),
    show: async () => proxy.accept(),
    placesWith: (...words) =>
      withClient(url, async (client) => {
        const { rows: tables } = await client.query(
          'select tablename from pg_tables where schemaname = $1',
          [schema],
        );
        const places: string[] = [];
        for (const { tablename } of tables) {
          const { rows } = await client.query(
            `select word from unnest($1::text[]) as word where exists (
               select from "${schema}"."${tablename}" as line where position(word in line::text) > 0)`,
            [words],
          );
          places.push(...rows.map(({ word }) => `${word} in ${tablename}`));
        }
        return places;
      }),
    bytesUsed: () =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ bytes: string }>(
          `select coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)), 0) as bytes
           from pg_tables where schemaname = $1`,
          [schema],
        );
        return Number(rows[0]?.bytes);
      }),
    async remove() {
      proxy.close();
      await withClient(url, (client) => client.query(`drop schema if exists "${schema}" cascade`));
      await close();
    },
  };
}

/** An empty schema of a role that is no superuser, so that row-level security holds. */
export async function schemaOfRole(url: string) {
  const role = `vectors_${randomUUID().replaceAll('-', '')}`;
  const password = `p@ss/${randomUUID()}`;
  await withClient(url, async (client) => {
    await client.query('create extension if not exists vector');
    await client.query(`create role ${role} login password '${password}'`);
    const { rows } = await client.query('select current_database() as name');
    await client.query(`grant create on database "${rows[0]?.name}" to ${role}`);
  });
  const storage = await schemaOf(url, async () => {
    await withClient(url, (client) => client.query(`drop owned by ${role}; drop role ${role}`));
  });
  const location = Object.assign(new URL(storage.location), { username: role, password: '' });
  const storageOptions: Record<string, string> = { ...storage.storageOptions, password };
  return { ...storage, location: location.href, storageOptions, role };
}
