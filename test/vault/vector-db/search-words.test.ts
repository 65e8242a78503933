import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  addPassages,
  idOf,
  openPassageFile,
  removePassages,
} from '../../../src/vault/vector-db/sqlite/passage-file.ts';
import { searchWords } from '../../../src/vault/vector-db/sqlite/search-words.ts';
import { createTasks } from '../../../src/vault/vector-db/sqlite/tasks.ts';
import { indexedWords, queryWords } from '../../../src/vault/vector-db/words.ts';
import { temporaryDirectory } from '../../support/process.ts';

const texts = [
  'The gate of the park opens at dawn, and the gate closes at dusk.',
  'A park needs gardeners. Gardeners need rain, tools and time.',
  'Urlaubsanträge stellt man im Park.',
  'Rain falls on the gate.',
];

test('Words are ranked with the scores of bm25 in FTS5, also beside removed and hidden passages', () => {
  const directory = temporaryDirectory();
  const file = openPassageFile(join(directory.path, 'passages.sqlite'), { cacheKb: 512 });
  try {
    for (const version of [1, 2, 3, 4])
      addPassages(
        file,
        version,
        Array.from({ length: 300 }, (_, ordinal) => {
          const text = `${texts[(ordinal + version) % 4]} ${texts[(ordinal * 7) % 3]} ${ordinal}`;
          return {
            ...{ ordinal, text, page: null, headings: [], start: 0, end: 1 },
            vector: new Float32Array([1, 0]),
            words: indexedWords(text, ordinal % 5 === 0 ? 'Rain in the park' : ''),
          };
        }),
        { isLast: true },
      );
    removePassages(file, 2, 200);
    for (const query of ['gate', 'rain at the gate', 'Urlaub gardeners 17', 'park park 299 dusk']) {
      const { words, pieces } = queryWords(query);
      const expected = file
        .prepare(
          `select rowid as id, -bm25(word, 1.0, 1.5, 0.2) as score from word
           where word match ? and rowid < ? and (rowid >> 21) <> 3 order by score desc, id limit 50`,
        )
        .all([...words, ...pieces].map((word) => `"${word}"`).join(' OR '), idOf(5, 0))
        .map(({ id, score }) => ({ id, score }));
      expect(expected.length).toBeGreaterThan(0);
      const found = searchWords(file, query, { hidden: [3], last: 4 }, 50);
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const [index, { score }] of found.entries())
        expect(score).toBeCloseTo(Number(expected[index]?.score), 12);
    }
  } finally {
    file.close();
    directory.remove();
  }
});

test('A thread forgets what it knows of the words of a removed version', () => {
  const directory = temporaryDirectory();
  const name = 'passages.sqlite';
  const tasks = createTasks(directory.path, { cacheKb: 512, vectorsKb: 512 });
  const otherThread = createTasks(directory.path, { cacheKb: 512, vectorsKb: 512 });
  const add = (version: number, text: string) => {
    const passage = { ordinal: 0, text, page: null, headings: [], start: 0, end: text.length };
    const passages = [{ ...passage, vector: new Float32Array([1, 0]) }];
    tasks.add(name, version, passages, { isLast: true, fileName: undefined });
  };
  const search = ({ search }: typeof tasks, removals: number) =>
    search(name, { text: 'gate', visible: { hidden: [], last: 9 }, limit: 9, removals }).keyword;
  try {
    add(1, 'A gate.');
    add(2, 'A gate of the park.');
    expect(search(tasks, 0)).toHaveLength(2);
    expect(tasks.remove(name, 2)).toBe(true);
    expect(search(tasks, 1)).toHaveLength(1);
    // The vector database never uses a version again. Here its other length shows what is remembered.
    add(2, 'A gate. The gardeners of this park need rain, tools, time and patience.');
    expect(search(tasks, 1)).toEqual(search(otherThread, 1));
  } finally {
    tasks.close();
    otherThread.close();
    directory.remove();
  }
});
