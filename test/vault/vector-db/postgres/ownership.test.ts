import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/platform/clock.ts';
import { openPassageStore } from '../../../../src/vault/vector-db/open-passage-store.ts';
import type {
  PassageBatches,
  PassageStore,
} from '../../../../src/vault/vector-db/passage-store.ts';
import { readPostgresAddress } from '../../../../src/vault/vector-db/postgres/address.ts';
import { acquireOwnership } from '../../../../src/vault/vector-db/postgres/ownership.ts';
import { createTransactions } from '../../../../src/vault/vector-db/postgres/transactions.ts';
import { passagesOf } from '../../../support/passages.ts';
import { startPgliteServer } from '../../../support/pglite-server.ts';
import { proxyTo } from '../../../support/proxy-to.ts';
import { rounds } from '../../../support/rounds.ts';
import { recordLog } from '../../../support/vault.ts';
import { pgvectorUrl, schemaOfRole } from '../../../support/vector-engines.ts';
import { withClient } from '../../../support/with-client.ts';

type Storage = Awaited<ReturnType<typeof schemaOfRole>>;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function createStorage(): Promise<Storage> {
  const storage = await schemaOfRole(pgvectorUrl ?? '');
  cleanups.push(storage.remove);
  return storage;
}

async function open(storage: Storage, ownershipWaitMs = 30_000, { lines, log } = recordLog()) {
  const store = await openPassageStore({
    ...storage,
    cacheMb: 16,
    ownershipWaitMs,
    clock: systemClock,
    log,
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await store.close();
  };
  cleanups.push(close);
  return { store, lines, close };
}

const documentNamed = (document: string) => ({
  collection: 'owned',
  document,
  replaces: undefined,
  ifGeneration: undefined,
  hash: 'a'.repeat(64),
  embedding: 'letters-1',
  facts: {},
});

async function* batchesOf(texts: string[], pause?: Promise<void>): PassageBatches {
  for await (const passage of passagesOf(texts)) {
    yield [passage];
    await pause;
  }
  return {};
}

const put = (store: PassageStore, document: string, texts: string[], pause?: Promise<void>) =>
  store.put(documentNamed(document), batchesOf(texts, pause));

const terminateLock = (storage: Storage) =>
  withClient(storage.url, (client) =>
    client.query(
      `select pg_terminate_backend(pg_locks.pid) from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and usename = $1`,
      [storage.role],
    ),
  );

const waitingUpdates = (storage: Storage): Promise<number> =>
  withClient(storage.url, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity
       where wait_event_type = 'Lock' and position($1 in query) > 0 and pid <> pg_backend_pid()`,
      [storage.schema],
    );
    return Number(rows[0]?.count);
  });

const rowsIn = (storage: Storage, table: string): Promise<number> =>
  withClient(storage.url, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as count from "${storage.schema}".${table}`,
    );
    return Number(rows[0]?.count);
  });

describe.skipIf(pgvectorUrl === undefined)('the lock of a schema', () => {
  it('A second process is refused, and the message names the process that has the schema', async () => {
    const storage = await createStorage();
    const first = await open(storage);
    await expect(open(storage, 300)).rejects.toThrow(
      `in use by process ${process.pid} on ${hostname()}`,
    );
    await first.close();
    await open(storage, 300);
  });

  it('A second process waits until the first has stopped, and sees its documents', async () => {
    const storage = await createStorage();
    const first = await open(storage);
    await put(first.store, 'one', ['stored by the first']);
    const record = recordLog();
    const second = open(storage, 30_000, record);
    await expect.poll(() => record.lines.join('')).toContain('waiting for the process');
    await first.close();
    expect((await second).store.collections.get('owned')?.documents.has('one')).toBe(true);
  });

  it('After another process has taken the schema, a write that had begun is not stored', async () => {
    const storage = await createStorage();
    const { store, lines } = await open(storage);
    await put(store, 'kept', ['kept words']);
    let resume = () => {};
    const pause = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const writing = put(store, 'late', ['late words', 'more late words'], pause);
    await expect.poll(() => rowsIn(storage, 'generation')).toBe(2);
    // What the next owner does first; this process still has its connections.
    await withClient(storage.url, (client) =>
      client.query(`update "${storage.schema}".state set epoch = epoch + 1`),
    );
    resume();
    await expect(writing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect
      .poll(() =>
        store.ping().then(
          () => 'owner',
          () => 'none',
        ),
      )
      .toBe('owner');
    expect([...(store.collections.get('owned')?.documents.keys() ?? [])]).toEqual(['kept']);
    await store.settled();
    expect(await storage.placesWith('late words')).toEqual([]);
    expect(lines.join('')).toContain('has lost its lock');
  });

  it('A process whose lock is terminated answers UNAVAILABLE until it has the lock again', async () => {
    const storage = await createStorage();
    const { store, lines } = await open(storage);
    await put(store, 'one', ['shared words']);
    await storage.hide();
    await expect
      .poll(() =>
        store.ping().then(
          () => 'owner',
          () => 'none',
        ),
      )
      .toBe('none');
    expect(() => store.collections.size).toThrow('lost its connection');
    await expect(put(store, 'two', ['shared words'])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await storage.show();
    await expect
      .poll(() =>
        store.ping().then(
          () => 'owner',
          () => 'none',
        ),
      )
      .toBe('owner');
    await terminateLock(storage);
    await expect
      .poll(() => lines.filter((line) => line.includes('has its lock again')).length)
      .toBe(2);
    await put(store, 'two', ['shared words']);
    const query = { text: 'shared', vectors: new Map(), limit: 5, documents: undefined };
    expect((await store.search('owned', query)).keyword).toHaveLength(2);
  });

  it('The next owner waits until a write that has begun is committed', async () => {
    const storage = await createStorage();
    const address = readPostgresAddress(storage.location, storage.storageOptions);
    const ownership = await acquireOwnership({ address, log: recordLog().log });
    const transactions = createTransactions(address, ownership);
    cleanups.push(ownership.release, transactions.close);
    const order: string[] = [];
    let end = () => {};
    const pause = new Promise<void>((resolve) => {
      end = resolve;
    });
    const writing = transactions.write(1, async () => {
      const taking = withClient(storage.url, async (client) => {
        await client.query(`update "${storage.schema}".state set epoch = epoch + 1`);
        order.push('owner');
      });
      await expect.poll(() => waitingUpdates(storage)).toBe(1);
      await pause;
      order.push('write');
      return { taking };
    });
    end();
    await (await writing).taking;
    expect(order).toEqual(['write', 'owner']);
    await expect(transactions.write(1, async () => {})).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('When connections are cut at random moments, acknowledged documents are kept and none is incomplete', async () => {
    const storage = await createStorage();
    const { store } = await open(storage);
    const stored = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      let isCut = false;
      const writing = Array.from({ length: 3 }, async (_, writer) => {
        const name = `doc${writer}`;
        while (!isCut) {
          const passages = 1 + Math.floor(Math.random() * 6);
          stored.set(name, [...(stored.get(name) ?? [0]), passages]);
          const texts = Array.from({ length: passages }, () => `shared version of ${passages}`);
          const isStored = await put(store, name, texts).then(
            () => true,
            () => false,
          );
          if (isStored) stored.set(name, [passages]);
        }
      });
      await wait(Math.random() * 400);
      await storage.hide();
      isCut = true;
      await Promise.all(writing);
      await storage.show();
      await expect
        .poll(() =>
          store.ping().then(
            () => 'owner',
            () => 'none',
          ),
        )
        .toBe('owner');
      for (const [name, possible] of stored) {
        const record = store.collections.get('owned')?.documents.get(name);
        expect(possible).toContain(record?.passages ?? 0);
        stored.set(name, [record?.passages ?? 0]);
        if (!record) continue;
        const query = { text: 'shared', vectors: new Map(), limit: 50, documents: [name] };
        const texts = (await store.search('owned', query)).keyword.map(({ text }) => text);
        expect(texts).toEqual(
          Array.from({ length: record.passages }, () => `shared version of ${record.passages}`),
        );
      }
    }
    await store.settled();
    const live = [...(store.collections.get('owned')?.documents.values() ?? [])];
    expect(await rowsIn(storage, 'passage')).toBe(
      live.reduce((sum, { passages }) => sum + passages, 0),
    );
  });
});

it('A store that is closed while it connects again ends', async () => {
  const server = await startPgliteServer();
  const proxy = await proxyTo(server.url);
  cleanups.push(server.close, async () => proxy.close());
  const { lines, log } = recordLog();
  const location = { location: proxy.url, storageOptions: { schema: 'closed_early' } };
  const store = await openPassageStore({ ...location, cacheMb: 16, clock: systemClock, log });
  proxy.pause();
  proxy.refuse();
  proxy.accept();
  await expect.poll(() => lines.join('')).toContain('has lost its lock');
  const closing = store.close();
  proxy.resume();
  await closing;
});
