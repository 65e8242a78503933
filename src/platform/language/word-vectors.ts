import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashOfWord } from './word-hash.ts';

// Vectors of 40,000 English words (GloVe, in the public domain; test/bench/make-word-vectors.ts made
// the file). Words that occur in the same company have similar vectors, so that "automobile" finds
// "car". The file has the number of words, their hashes in ascending order, their weights, and one
// byte for each number of a vector. It is used as it is read: a reader process lives for one document.

export const wordVectorDimensions = 100;
/** The numbers of a vector are between minus and plus this. */
const numberMax = 3;
const wordVectorFile = fileURLToPath(new URL('./word-vectors.bin', import.meta.url));

export type WordVectorTable = ReadonlyMap<number, { weight: number; numbers: readonly number[] }>;

export function writeWordVectors(table: WordVectorTable): Uint8Array {
  const entries = [...table].sort(([a], [b]) => (a >>> 0) - (b >>> 0));
  const bytes = new Uint8Array(4 + entries.length * (8 + wordVectorDimensions));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, entries.length, true);
  for (const [index, [hash, { weight, numbers }]] of entries.entries()) {
    view.setUint32(4 + 4 * index, hash >>> 0, true);
    view.setFloat32(4 + 4 * (entries.length + index), weight, true);
    for (const [at, value] of numbers.entries())
      view.setInt8(
        4 + 8 * entries.length + index * wordVectorDimensions + at,
        Math.round((Math.max(-numberMax, Math.min(numberMax, value)) / numberMax) * 127),
      );
  }
  return bytes;
}

type LoadedVectors = {
  hashes: Uint32Array;
  weights: Float32Array;
  numbers: Int8Array;
  /** The lengths of the vectors of words that were compared; 0 is not known yet. */
  lengths: Float32Array;
};
let loaded: LoadedVectors | undefined;

function load(): LoadedVectors {
  const { buffer } = Uint8Array.from(readFileSync(wordVectorFile));
  const count = new DataView(buffer).getUint32(0, true);
  return {
    hashes: new Uint32Array(buffer, 4, count),
    weights: new Float32Array(buffer, 4 + 4 * count, count),
    numbers: new Int8Array(buffer, 4 + 8 * count),
    lengths: new Float32Array(count),
  };
}

/** Adds the vector of a word. Returns its weight, or 0 for an unknown word. */
export function addWordVector(vector: Float32Array, wordHash: number, factor: number): number {
  loaded ??= load();
  const { hashes, weights, numbers } = loaded;
  const index = indexOf(hashes, wordHash >>> 0);
  if (index < 0) return 0;
  const weight = weights[index] ?? 0;
  const start = index * wordVectorDimensions;
  const scale = (weight * factor * numberMax) / 127;
  for (let at = 0; at < wordVectorDimensions; at += 1)
    vector[at] = (vector[at] ?? 0) + scale * (numbers[start + at] ?? 0);
  return weight;
}

/** A number for a known word, to compare it with others; undefined for an unknown word. */
export function knownWordOf(word: string): number | undefined {
  const hash = hashOfWord(word);
  if (hash === undefined) return undefined;
  loaded ??= load();
  const index = indexOf(loaded.hashes, hash >>> 0);
  return index < 0 ? undefined : index;
}

/** What a known word weighs in a sum: the more, the rarer it is. */
export function weightOfWord(known: number): number {
  loaded ??= load();
  return loaded.weights[known] ?? 0;
}

/** The cosine of the vectors of two known words: 1 for equal words, about 0 for unrelated ones. */
export function relatednessOf(first: number, second: number): number {
  loaded ??= load();
  const { numbers } = loaded;
  const [start, otherStart] = [first * wordVectorDimensions, second * wordVectorDimensions];
  let product = 0;
  for (let at = 0; at < wordVectorDimensions; at += 1)
    product += (numbers[start + at] ?? 0) * (numbers[otherStart + at] ?? 0);
  return product / (lengthOf(loaded, first) * lengthOf(loaded, second));
}

function lengthOf({ lengths, numbers }: LoadedVectors, index: number): number {
  const known = lengths[index] ?? 0;
  if (known > 0) return known;
  let sum = 0;
  const start = index * wordVectorDimensions;
  for (let at = start; at < start + wordVectorDimensions; at += 1) sum += (numbers[at] ?? 0) ** 2;
  const length = Math.max(1, Math.sqrt(sum));
  lengths[index] = length;
  return length;
}

function indexOf(hashes: Uint32Array, hash: number): number {
  let low = 0;
  let high = hashes.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = hashes[middle] ?? 0;
    if (value === hash) return middle;
    if (value < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
