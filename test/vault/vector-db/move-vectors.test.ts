import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { embedByHashing } from '../../../src/vault/embed/hashing.ts';
import { openPassageStore } from '../../../src/vault/vector-db/open-passage-store.ts';
import type { PassageBatches, PassageStore } from '../../../src/vault/vector-db/passage-store.ts';
import { mulberry32 } from '../../support/mulberry32.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { recordLog } from '../../support/vault.ts';
import { pgvectorUrl, type VectorLocation, vectorEngines } from '../../support/vector-engines.ts';

const embedding = 'hashing-256-1';
const random = mulberry32(1);
const textOf = () =>
  Array.from({ length: 40 }, () => `word${Math.floor(2_000 * random() ** 3)}`).join(' ');

const open = ({ location, storageOptions }: Pick<VectorLocation, 'location' | 'storageOptions'>) =>
  openPassageStore({
    location,
    storageOptions,
    cacheMb: 16,
    clock: systemClock,
    log: recordLog().log,
  });

async function withStore<T>(
  storage: VectorLocation,
  work: (store: PassageStore) => Promise<T>,
): Promise<T> {
  const store = await open(storage);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function* batchOf(texts: readonly string[]): PassageBatches {
  yield texts.map((text, ordinal) => ({
    ordinal,
    text,
    page: ordinal,
    headings: ['Heading'],
    start: ordinal * 1_000,
    end: ordinal * 1_000 + text.length,
    vector: embedByHashing(text),
  }));
  return {};
}

const put = (store: PassageStore, collection: string, document: string, texts: string[]) =>
  store.put(
    {
      collection,
      document,
      replaces: undefined,
      ifGeneration: undefined,
      hash: document.padEnd(64, '0'),
      embedding,
      facts: { fileName: `${document}.txt`, pages: 3 },
    },
    batchOf(texts),
  );

const fill = async (store: PassageStore) => {
  for (let index = 0; index < 60; index += 1)
    await put(
      store,
      index % 3 === 0 ? 'second' : 'first',
      `doc${index}`,
      Array.from({ length: 1 + Math.floor(random() * 12) }, textOf),
    );
};

const questions = Array.from({ length: 40 }, () => textOf().split(' ').slice(0, 6).join(' '));

/** The first ten answers to each question, by words and by vectors. */
const answersOf = (store: PassageStore) =>
  Promise.all(
    questions.map(async (text) => {
      const vectors = new Map([[embedding, embedByHashing(text)]]);
      const hits = await store.search('first', { text, vectors, limit: 10, documents: undefined });
      return [hits.keyword, hits.vector].map((list) =>
        list.map(({ document, ordinal }) => `${document}/${ordinal}`),
      );
    }),
  );

function overlap(a: string[][][], b: string[][][]): number {
  const lists = a.flat();
  const others = b.flat();
  const common = lists.map((list, index) => list.filter((hit) => others[index]?.includes(hit)));
  return common.flat().length / lists.flat().length;
}

const documentsOf = (store: PassageStore) =>
  [...store.collections.values()]
    .flatMap(({ documents }) => [...documents.values()])
    .map(({ collection, document, hash, embedding: space, passages, facts }) => ({
      ...{ collection, document, hash, embedding: space, passages, facts },
    }))
    .toSorted((a, b) => a.document.localeCompare(b.document));

function move(from: VectorLocation, to: VectorLocation) {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const options = (name: string, values: Record<string, string>) =>
    Object.entries(values).flatMap(([key, value]) =>
      // A secret comes from the environment.
      [`--${name}-option`, key === 'password' ? `password=\${PASSWORD}` : `${key}=${value}`],
    );
  const password = { ...from.storageOptions, ...to.storageOptions }['password'] ?? '';
  return run('src/commands/move-vectors.ts', { DATA_DIR: directory.path, PASSWORD: password }, [
    ...['--from', from.location, ...options('from', from.storageOptions)],
    ...['--to', to.location, ...options('to', to.storageOptions)],
  ]);
}

async function finish({ ended, stdout, stderr }: ReturnType<typeof move>): Promise<string> {
  const code = await ended;
  expect(`${code} ${stderr()}`).toMatch(/^0 /);
  return stdout();
}

const otherEngines = vectorEngines.filter(({ name }) => name !== 'sqlite');

async function createStorage(name: string): Promise<VectorLocation> {
  const storage = await vectorEngines.find((engine) => engine.name === name)?.open();
  if (!storage) throw new Error(`There is no engine ${name}`);
  onTestFinished(storage.remove);
  return storage;
}

describe.each(otherEngines)('a move from sqlite to $name and back', ({ name }) => {
  it('It goes on after a kill, takes every document once, and the answers stay', async () => {
    const [source, target, back] = [
      await createStorage('sqlite'),
      await createStorage(name),
      await createStorage('sqlite'),
    ];
    await withStore(source, fill);
    await withStore(target, (store) => put(store, 'first', 'unknown', ['only in the target']));

    const killed = move(source, target);
    // The first line of progress follows the first document.
    await once(killed.child.stdout, 'data');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(killed.stdout()).toMatch(/^[1-9] of 60 documents/);
    const copied = await withStore(target, async (store) => documentsOf(store).length);
    expect(copied).toBeGreaterThan(0);
    expect(copied).toBeLessThan(60);
    await withStore(source, async (store) => {
      await store.remove('first', ['doc1']);
      await put(store, 'second', 'doc0', ['another content']);
    });
    expect(await finish(move(source, target))).toMatch(
      /The target has all 59 documents with \d+ passages/,
    );
    expect(await finish(move(source, target))).toContain('0 were copied, 59 were there already');
    await finish(move(target, back));

    const original = await withStore(source, async (store) => ({
      documents: documentsOf(store),
      answers: await answersOf(store),
    }));
    for (const storage of [target, back])
      await withStore(storage, async (store) => {
        expect(documentsOf(store)).toEqual(original.documents);
        // Lance does not stem words, so its own order of them is another.
        if (storage.engine !== 'lance')
          expect(overlap(original.answers, await answersOf(store))).toBeGreaterThanOrEqual(0.95);
      });
  });
});

it('An empty source does not empty the target', async () => {
  const [source, target] = [await createStorage('sqlite'), await createStorage('sqlite')];
  await withStore(source, async () => {});
  await withStore(target, (store) => put(store, 'first', 'one', ['words']));
  const { ended, stderr } = move(source, target);
  expect(await ended).toBe(1);
  expect(stderr()).toContain('The source has no documents');
  await withStore(target, async (store) => expect(documentsOf(store)).toHaveLength(1));
});

it('A password on the command line is refused, and the message does not repeat it', async () => {
  const { ended, stderr } = run('src/commands/move-vectors.ts', { DATA_DIR: ':memory:' }, [
    ...['--to', 'postgres://u:s3cret@db/v', '--to-option', 'password=s3cret'],
  ]);
  expect(await ended).toBe(1);
  expect(stderr()).toContain('--to: its password is a secret');
  expect(stderr()).toContain('--to-option password: is a secret');
  expect(stderr()).not.toContain('s3cret');
});

// All connections to PGlite have one session, so its lock excludes nobody.
describe.skipIf(pgvectorUrl === undefined)('a move to a Postgres server', () => {
  it('A move is refused while another process uses one of the two', async () => {
    const [source, target] = [await createStorage('sqlite'), await createStorage('postgres')];
    const store = await open(source);
    const first = move(source, target);
    expect(await first.ended).toBe(1);
    expect(first.stderr()).toContain('is in use by process');
    await put(store, 'first', 'one', ['words']);
    await store.close();
    const used = await open(target);
    const second = move(source, target);
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toContain('is in use by process');
    await used.close();
  });
});
