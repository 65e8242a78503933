import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  addPassages,
  idOf,
  openPassageFile,
  removePassages,
} from '../../../src/vault/vector-db/sqlite/passage-file.ts';
import { searchWords } from '../../../src/vault/vector-db/sqlite/search-words.ts';
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
