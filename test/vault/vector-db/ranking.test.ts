import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { openPassageStore } from '../../../src/vault/vector-db/open-passage-store.ts';
import type { PassageBatches, PassageStore } from '../../../src/vault/vector-db/passage-store.ts';
import { mulberry32 } from '../../support/mulberry32.ts';
import { vectorOf } from '../../support/passages.ts';
import { recordLog } from '../../support/vault.ts';
import { type VectorLocation, vectorEngines } from '../../support/vector-engines.ts';

const random = mulberry32(7);
const stems = [
  'contract',
  'holiday',
  'printer',
  'invoice',
  'travel',
  'kitchen',
  'Urlaub',
  'Vertrag',
];
const wordOf = () => {
  const stem = stems[Math.floor(stems.length * random())] ?? '';
  return random() < 0.5 ? stem : `${stem}${Math.floor(40 * random() ** 2)}`;
};
const textOf = (words: number) => Array.from({ length: words }, wordOf).join(' ');

async function* batchOf(texts: readonly string[]): PassageBatches {
  yield texts.map((text, ordinal) => ({
    ordinal,
    text,
    page: null,
    headings: [`Section ${ordinal} about ${text.split(' ')[0]}`],
    start: ordinal * 100,
    end: ordinal * 100 + 90,
    vector: vectorOf(text),
  }));
  return {};
}

const documents = Array.from({ length: 40 }, (_, index) => ({
  name: `doc${index}`,
  texts: Array.from({ length: 1 + Math.floor(8 * random()) }, () =>
    textOf(5 + Math.floor(60 * random())),
  ),
}));
const questions = [
  ...Array.from({ length: 30 }, () => textOf(1 + Math.floor(5 * random()))),
  // All words and pieces of words that there are.
  textOf(400),
];

type Opened = { storage: VectorLocation; store: PassageStore };

// Lance has its own index of words, without stems.
const postgresEngines = vectorEngines.filter(({ name }) => name.startsWith('postgres'));

describe.each(postgresEngines)('words in $name', ({ open }) => {
  let sqlite: Opened;
  let postgres: Opened;

  async function openFilled(openStorage: () => Promise<VectorLocation>): Promise<Opened> {
    const storage = await openStorage();
    const store = await openPassageStore({
      ...storage,
      cacheMb: 16,
      clock: systemClock,
      log: recordLog().log,
    });
    const put = (document: string, texts: readonly string[]) =>
      store.put(
        {
          collection: 'ranked',
          document,
          replaces: undefined,
          ifGeneration: undefined,
          hash: 'a'.repeat(64),
          embedding: 'letters-1',
          facts: { fileName: `${document} travel.txt` },
        },
        batchOf(texts),
      );
    for (const { name, texts } of documents) await put(name, texts);
    return { storage, store };
  }

  beforeAll(async () => {
    const directory = vectorEngines.find(({ name }) => name === 'sqlite');
    if (!directory) throw new Error('SQLite is missing');
    sqlite = await openFilled(directory.open);
    postgres = await openFilled(open);
  });
  afterAll(async () => {
    for (const { storage, store } of [sqlite, postgres]) {
      await store.close();
      await storage.remove();
    }
  });

  it('Passages have the scores that SQLite gives them', async () => {
    let best = 0;
    for (const text of questions) {
      const query = { text, vectors: new Map(), limit: 50, documents: undefined };
      const [expected, actual] = [
        await sqlite.store.search('ranked', query),
        await postgres.store.search('ranked', query),
      ];
      const toScores = ({ keyword }: typeof expected) =>
        new Map(keyword.map(({ document, ordinal, score }) => [`${document}/${ordinal}`, score]));
      const [ofSqlite, ofPostgres] = [toScores(expected), toScores(actual)];
      expect(ofPostgres.size).toBe(ofSqlite.size);
      best = Math.max(best, ...ofSqlite.values());
      for (const [index, score] of [...ofSqlite.values()].entries())
        expect([...ofPostgres.values()][index]).toBeCloseTo(score, 4);
    }
    expect(best).toBeGreaterThan(2);
  });
});
