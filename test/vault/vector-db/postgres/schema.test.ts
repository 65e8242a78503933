import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/platform/clock.ts';
import { openPassageStore } from '../../../../src/vault/vector-db/open-passage-store.ts';
import type { PassageBatches } from '../../../../src/vault/vector-db/passage-store.ts';
import { passagesOf, vectorOf } from '../../../support/passages.ts';
import { start, temporaryDirectory } from '../../../support/process.ts';
import { recordLog, vaultSecret } from '../../../support/vault.ts';
import {
  pgvectorUrl,
  schemaOf,
  schemaOfRole,
  type VectorLocation,
} from '../../../support/vector-engines.ts';
import { withClient } from '../../../support/with-client.ts';

const url = pgvectorUrl ?? '';

async function createStorage() {
  const storage = await schemaOfRole(url);
  onTestFinished(storage.remove);
  return storage;
}

const open = (
  storage: Pick<VectorLocation, 'location' | 'storageOptions'>,
  log = recordLog().log,
) =>
  openPassageStore({
    ...storage,
    thresholds: { recentPassagesMax: 1_000, vectorIndexRowsMin: 300 },
    cacheMb: 16,
    clock: systemClock,
    log,
  });

async function* batchesOf(texts: string[]): PassageBatches {
  for await (const passage of passagesOf(texts)) yield [passage];
  return {};
}

const documentNamed = (collection: string, document: string) => ({
  collection,
  document,
  replaces: undefined,
  ifGeneration: undefined,
  hash: 'a'.repeat(64),
  embedding: 'letters-1',
  facts: {},
});

describe.skipIf(pgvectorUrl === undefined)('a schema of Postgres', () => {
  it('A transaction sees and changes only the rows of the collection that it has set', async () => {
    const storage = await createStorage();
    const store = await open(storage);
    for (const name of ['first', 'second'])
      await store.put(documentNamed(name, 'one'), batchesOf([`words of the ${name}`]));
    await store.close();
    await withClient(url, async (client) => {
      await client.query(
        `set role ${storage.role}; set search_path to "${storage.schema}", public`,
      );
      const { rows } = await client.query('select id, name from collection order by name');
      const [first, second] = rows.map(({ id }) => Number(id));
      const tables = ['passage', 'passage_vector', 'posting', 'document', 'generation', 'space'];
      const visible = async (table: string) =>
        (await client.query(`select distinct collection from ${table}`)).rows.map(
          ({ collection }) => collection,
        );
      for (const table of tables) expect(await visible(table)).toEqual([]);
      await client.query(`set atrium_vectors.collection = '${first}'`);
      for (const table of tables) expect(await visible(table)).toEqual([first]);
      for (const table of tables)
        expect(
          (await client.query(`delete from ${table} where collection = ${second}`)).rowCount,
        ).toBe(0);
      await expect(
        client.query(`insert into passage_vector values (${second}, 1, 99, 0, '[1,2]')`),
      ).rejects.toMatchObject({ code: '42501' });
      await client.query("set atrium_vectors.collection = '0'");
      for (const table of ['passage', 'passage_vector', 'posting'])
        expect(await visible(table)).toEqual([]);
    });
  });

  it('A superuser is warned that row-level security does not hold', async () => {
    const storage = await schemaOf(url, async () => {});
    onTestFinished(storage.remove);
    const { lines, log } = recordLog();
    await (await open(storage, log)).close();
    expect(lines.join('')).toContain('exempt from row-level security');
    const own = await createStorage();
    const ownLog = recordLog();
    await (await open(own, ownLog.log)).close();
    expect(ownLog.lines.join('')).not.toContain('exempt from row-level security');
  });

  it('A large embedding space gets an index, also after a process was killed while it built one', async () => {
    const storage = await createStorage();
    const indexes = () =>
      withClient(url, async (client) => {
        const { rows } = await client.query(
          `select pg_index.indexrelid, indisvalid as valid, idx_scan::int as scans
           from pg_index join pg_stat_all_indexes using (indexrelid)
           where schemaname = $1 and starts_with(indexrelname, 'hnsw_')`,
          [storage.schema],
        );
        return rows;
      });
    const texts = Array.from({ length: 200 }, (_, index) => `${randomUUID()} text ${index}`);
    const first = await open(storage);
    await first.put(documentNamed('large', 'one'), batchesOf(texts));
    await first.settled();
    expect(await indexes()).toEqual([]);
    await first.put(documentNamed('large', 'two'), batchesOf(texts));
    await first.settled();
    const [index] = await indexes();
    expect(index?.valid).toBe(true);
    const best = async (store: typeof first, documents?: string[]) => {
      const vectors = new Map([['letters-1', vectorOf(texts[7] ?? '')]]);
      const query = { text: undefined, vectors, limit: 3, documents };
      return (await store.search('large', query)).vector.map(({ text }) => text);
    };
    expect((await best(first)).slice(0, 2)).toEqual([texts[7], texts[7]]);
    expect((await best(first, ['one']))[0]).toBe(texts[7]);
    await first.close();
    await expect.poll(async () => (await indexes())[0]?.scans).toBe(1);
    await withClient(url, (client) =>
      client.query('update pg_index set indisvalid = false where indexrelid = $1', [
        index?.indexrelid,
      ]),
    );
    const second = await open(storage);
    await second.settled();
    expect(await indexes()).toEqual([expect.objectContaining({ valid: true })]);
    await second.remove('large');
    await second.settled();
    await second.close();
    const third = await open(storage);
    await third.settled();
    expect(await indexes()).toEqual([]);
    await third.close();
  });

  it('A schema with tables of something else is refused and not changed', async () => {
    const storage = await createStorage();
    await withClient(url, (client) =>
      client.query(
        `create schema "${storage.schema}" authorization ${storage.role};
         create table "${storage.schema}".customers (id int)`,
      ),
    );
    await expect(open(storage)).rejects.toThrow('has tables of something else');
  });

  it('A schema that a later version wrote is refused', async () => {
    const storage = await createStorage();
    await (await open(storage)).close();
    await withClient(url, (client) =>
      client.query(`insert into "${storage.schema}".vector_migration values (1000)`),
    );
    await expect(open(storage)).rejects.toThrow('a later version of Atrium');
  });

  it('Without the extension the message says what to run, where and as whom', async () => {
    const storage = await createStorage();
    const name = `without_${randomUUID().replaceAll('-', '')}`;
    await withClient(url, (client) => client.query(`create database ${name}`));
    onTestFinished(() =>
      withClient(url, async (client) => {
        await client.query(`drop database ${name} with (force)`);
      }),
    );
    const location = Object.assign(new URL(storage.location), { pathname: `/${name}` }).href;
    await expect(open({ ...storage, location })).rejects.toThrow(
      `The database ${name} has no extension "vector", and ${storage.role} may not create it. Run there as a superuser: create extension vector;`,
    );
  });

  it('The program vector-db takes its password from the environment and never logs it', async () => {
    const storage = await createStorage();
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const { password = '', schema } = storage.storageOptions;
    const file = join(directory.path, 'vault.yaml');
    const location = storage.location.replace('@', `:\${PASSWORD}@`);
    writeFileSync(
      file,
      `vector_db: { location: '${location}', storage_options: { schema: ${schema} } }`,
    );
    const server = await start(
      {
        DATA_DIR: directory.path,
        VAULT_CONFIG: file,
        VAULT_SECRET: vaultSecret,
        PASSWORD: encodeURIComponent(password),
        LOG_LEVEL: 'debug',
      },
      ['vector-db'],
    );
    onTestFinished(async () => {
      server.process.kill('SIGKILL');
      await server.ended;
    });
    const isReady = async () =>
      (await fetch(`${server.address}/v1/.well-known/ready`)).status === 200;
    expect(await isReady()).toBe(true);
    await storage.hide();
    await expect.poll(isReady).toBe(false);
    await storage.show();
    await expect.poll(isReady).toBe(true);
    expect(server.output()).toContain('has lost its lock');
    for (const form of [password, encodeURIComponent(password)])
      expect(server.output()).not.toContain(form);
  });

  it('No error shows the password', async () => {
    const storage = await createStorage();
    const password = 'wrong-password-of-the-test';
    const location = Object.assign(new URL(storage.location), {
      hostname: 'does-not-exist.invalid',
    });
    for (const at of [location.href, storage.location.replace('/postgres', '/no-such-database')])
      await expect(
        open({ location: at, storageOptions: { ...storage.storageOptions, password } }),
      ).rejects.not.toThrow(password);
  });
});
