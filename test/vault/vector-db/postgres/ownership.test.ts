import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/platform/clock.ts';
import { openPassageStore } from '../../../../src/vault/vector-db/open-passage-store.ts';
import type {
  PassageBatches,
  PassageStore,
} from '../../../../src/vault/vector-db/passage-store.ts';
import { passagesOf } from '../../../support/passages.ts';
import { recordLog } from '../../../support/vault.ts';
import { pgvectorUrl, schemaOfRole, withClient } from '../../../support/vector-engines.ts';

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
      `in use by process ${process.pid} on ${(await import('node:os')).hostname()}`,
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
});
