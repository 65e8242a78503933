import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/vault/vector-db/sqlite/open-store.ts';
import { openPassageFile } from '../../../src/vault/vector-db/sqlite/passage-file.ts';
import { upgradeStep } from '../../../src/vault/vector-db/sqlite/upgrade-file.ts';
import { temporaryDirectory } from '../../support/process.ts';

const directories: { remove(): void }[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove();
});

const open = (location: string) =>
  openSqliteStore({
    location,
    cacheMb: 16,
    clock: () => new Date(),
    log: pino({ level: 'silent' }),
  });

/** A store of the earlier version, whose index has the words as they are written. */
async function storeOfEarlierVersion(passages: number): Promise<string> {
  const directory = temporaryDirectory();
  directories.push(directory);
  const location = join(directory.path, 'vectors');
  const store = await open(location);
  await store.put(
    {
      collection: 'c',
      document: 'd',
      replaces: undefined,
      ifGeneration: undefined,
      hash: '0'.repeat(64),
      embedding: 'e',
      facts: { fileName: 'Parkordnung.txt' },
    },
    (async function* () {
      yield Array.from({ length: passages }, (_, ordinal) => ({
        ordinal,
        text: `Die Kündigungen der Plätze, Nummer ${ordinal}.`,
        page: null,
        headings: [],
        start: 0,
        end: 1,
        vector: new Float32Array([1, 0]),
      }));
      return {};
    })(),
  );
  await store.close();
  for (const name of readdirSync(location).filter((entry) => entry.endsWith('.sqlite'))) {
    const file = new DatabaseSync(join(location, name));
    if (name.startsWith('passages-'))
      file.exec(`drop table word_count; drop table word;
        create virtual table word using fts5 (text, content = '', contentless_delete = 1,
          tokenize = "unicode61 remove_diacritics 2");
        create virtual table word_count using fts5vocab (word, 'row');
        insert into word (rowid, text) select id, text from passage;`);
    file.exec('pragma user_version = 1');
    file.close();
  }
  return location;
}

const search = (store: Awaited<ReturnType<typeof open>>, text: string) =>
  store.search('c', { text, vectors: new Map(), limit: 10, documents: undefined });

test('A store of an earlier version has stems and file names after its next start', async () => {
  const location = await storeOfEarlierVersion(3);
  const store = await open(location);
  expect((await search(store, 'Kündigung')).keyword).toHaveLength(3);
  expect((await search(store, 'Parkordnung')).keyword).toHaveLength(3);
  await store.close();
  const again = await open(location);
  expect((await search(again, 'Kündigung')).keyword).toHaveLength(3);
  await again.close();
});

test('A killed upgrade goes on where it was', async () => {
  const location = await storeOfEarlierVersion(4_500);
  const [name = ''] = readdirSync(location).filter((entry) => /^passages-.*\.sqlite$/.test(entry));
  const file = openPassageFile(join(location, name), { cacheKb: 1_024 });
  expect(upgradeStep(file, () => undefined)).toBe(false);
  file.close();
  const store = await open(location);
  const hits = await store.search('c', {
    text: 'Nummer 4499 Kündigung',
    vectors: new Map(),
    limit: 10,
    documents: undefined,
  });
  expect(hits.keyword[0]?.ordinal).toBe(4_499);
  await store.close();
  const upgraded = new DatabaseSync(join(location, name));
  expect(upgraded.prepare('select count(*) as n from passage').get()?.['n']).toBe(4_500);
  expect(upgraded.prepare('pragma user_version').get()?.['user_version']).toBe(2);
  upgraded.close();
});
