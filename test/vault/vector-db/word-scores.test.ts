import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  addPassages,
  idOf,
  openPassageFile,
} from '../../../src/vault/vector-db/sqlite/passage-file.ts';
import { createWordScores } from '../../../src/vault/vector-db/sqlite/word-scores.ts';
import { indexedWords } from '../../../src/vault/vector-db/words.ts';
import { temporaryDirectory } from '../../support/process.ts';

const passagesEach = 3;
/** How much of `bytesMax` a block of one document takes. */
const blockBytes = 400 + 12 * passagesEach;
const wordsIn = (document: number, ordinal: number) => 1 + ((document + ordinal) % 7);
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

/** A file of small documents, and the lengths of their passages, whose reads are counted. */
function openDocuments(count: number, options: { bytesMax?: number } = {}) {
  const directory = temporaryDirectory();
  const file = openPassageFile(join(directory.path, 'passages.sqlite'), { cacheKb: 4_096 });
  cleanups.push(
    () => file.close(),
    () => directory.remove(),
  );
  for (let document = 0; document < count; document += 1)
    addPassages(
      file,
      document,
      Array.from({ length: passagesEach }, (_, ordinal) => {
        const text = Array.from({ length: wordsIn(document, ordinal) }, () => 'gate').join(' ');
        return {
          ...{ ordinal, text, page: null, headings: [], start: 0, end: 1 },
          vector: new Float32Array([1, 0]),
          words: { ...indexedWords(text, ''), title: '', pieces: '' },
        };
      }),
      { isLast: true },
    );
  let reads = 0;
  const prepare: typeof file.prepare = (text) => {
    reads += 1;
    return file.prepare(text);
  };
  const scores = createWordScores({ prepare }, options);
  /** Scores all passages of these documents, and returns how many reads that took. */
  function search(documents: readonly number[]): number {
    const before = reads;
    const found = scores.beginSearch();
    for (const document of documents)
      for (let ordinal = 0; ordinal < passagesEach; ordinal += 1)
        found.add(idOf(document, ordinal), found.lengthOf(idOf(document, ordinal)));
    const expected = documents.flatMap((document) =>
      Array.from({ length: passagesEach }, (_, ordinal) => ({
        id: idOf(document, ordinal),
        score: wordsIn(document, ordinal),
      })),
    );
    expect([...found.scores()]).toEqual(expected);
    return reads - before;
  }
  return { search, keepOnly: scores.keepOnly };
}

const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, at) => start + at);

test('Searches in thousands of small documents read the lengths of their passages once', () => {
  const { search } = openDocuments(4_200);
  expect(search(upTo(4_200))).toBe(4_200);
  expect(search(upTo(4_200))).toBe(0);
});

test('If memory is too small for all passages, a search reads only the lengths of the others again', () => {
  const { search } = openDocuments(30, { bytesMax: 20 * blockBytes });
  expect(search(upTo(30))).toBe(30);
  expect(search(upTo(30))).toBe(10);
  expect(search(upTo(30))).toBe(10);
});

test('When memory is full, passages that no search uses any more are forgotten', () => {
  const { search } = openDocuments(30, { bytesMax: 20 * blockBytes });
  search(upTo(20));
  for (let searches = 0; searches < 110; searches += 1) search(upTo(30, 15));
  expect(search(upTo(30, 15))).toBe(0);
});

test('Versions that are removed leave their memory to others', () => {
  const { search, keepOnly } = openDocuments(30, { bytesMax: 20 * blockBytes });
  search(upTo(20));
  keepOnly((version) => version >= 10);
  expect(search(upTo(30, 10))).toBe(10);
  expect(search(upTo(30, 10))).toBe(0);
});
