import { stopWords } from './stop-words.ts';
import { toUnitLength } from './unit-length.ts';
import { type WordUnits, wordsOf } from './words.ts';

/**
 * The last number of the name must be increased with every change that gives different vectors,
 * because vectors of different versions are not comparable.
 */
export const hashingSpace = { name: 'hashing-256-1', dimensions: 256 } as const;

/** Weights of features, relative to 1 for a word. */
const stopWordWeight = 0.1;
const pairWeight = 0.4;
const fragmentWeight = 0.7;
/** Fragments match inflections and German compounds: "Urlaub" and "Jahresurlaubs". */
const fragmentUnits = [3, 4, 5];
const fragmentWordUnitsMin = 4;
/**
 * Each feature changes this many numbers of the vector, so that two features that collide in one
 * number differ in the others.
 */
const dimensionsPerFeature = 4;

/**
 * Computes the vector of a text without a model: words, pairs of words and fragments of words are
 * hashed, with signs, into a fixed number of dimensions. Texts are similar if they share words or
 * parts of words; the meaning of words has no influence. A text without words has the zero vector.
 */
export function embedByHashing(text: string): Float32Array {
  const words = wordsOf(text);
  const vector = new Float32Array(hashingSpace.dimensions);
  const pairs = new Set<number>();
  let previous: number | undefined;
  for (const { hash, at, count } of countWords(words, (hash) => {
    if (previous !== undefined) pairs.add(Math.imul(previous, 31) ^ hash);
    previous = hash;
  })) {
    const weight = weightOf(words, at, hash) * (1 + Math.log(count));
    add(vector, hash, weight);
    if (!stopWordHashes.has(hash)) addFragments(vector, words, at, weight * fragmentWeight);
  }
  for (const pair of pairs) add(vector, mix(pair), pairWeight);
  return toUnitLength(vector);
}

type WordCount = { hash: number; at: number; count: number };

function countWords(words: WordUnits, onWord: (hash: number) => void): Iterable<WordCount> {
  const counts = new Map<number, WordCount>();
  for (let at = 0; at < words.starts.length; at++) {
    const hash = hashOf(words.units, words.starts[at] ?? 0, words.ends[at] ?? 0, wordSeed);
    const word = counts.get(hash);
    if (word) word.count++;
    else counts.set(hash, { hash, at, count: 1 });
    onWord(hash);
  }
  return counts.values();
}

/** Longer words are usually rarer, so they weigh more. There are no statistics of a corpus to use. */
function weightOf({ starts, ends }: WordUnits, at: number, hash: number): number {
  if (stopWordHashes.has(hash)) return stopWordWeight;
  const length = (ends[at] ?? 0) - (starts[at] ?? 0);
  return length < 3 ? 0.6 : Math.min(1.6, 0.8 + length * 0.08);
}

function addFragments(
  vector: Float32Array,
  { units, starts, ends }: WordUnits,
  at: number,
  weight: number,
): void {
  const start = starts[at] ?? 0;
  const end = ends[at] ?? 0;
  const length = end - start;
  if (length < fragmentWordUnitsMin) return;
  let count = 0;
  for (const size of fragmentUnits) count += Math.max(0, length - size + 1);
  const fragmentWeightShare = weight / Math.sqrt(count);
  for (const size of fragmentUnits)
    for (let from = start; from + size <= end; from++)
      add(vector, hashOf(units, from, from + size, fragmentSeed), fragmentWeightShare);
}

function add(vector: Float32Array, hash: number, weight: number): void {
  let bits = hash;
  for (let round = 0; round < dimensionsPerFeature; round++) {
    const index = (bits >>> 1) & (hashingSpace.dimensions - 1);
    vector[index] = (vector[index] ?? 0) + (bits & 1 ? weight : -weight);
    bits = mix(bits + 0x9e3779b9);
  }
}

const wordSeed = 0x811c9dc5;
const fragmentSeed = 0x2b9a1f47;

/** FNV-1a over code units, then the finalizer of MurmurHash3, so that similar words differ a lot. */
function hashOf(units: Uint16Array, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let index = start; index < end; index++)
    hash = Math.imul(hash ^ (units[index] ?? 0), 0x01000193);
  return mix(hash);
}

function mix(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

const stopWordHashes: ReadonlySet<number> = new Set(hashesOf(wordsOf(stopWords)));

function* hashesOf({ units, starts, ends }: WordUnits): Generator<number> {
  for (const [at, start] of starts.entries())
    yield hashOf(units, start, ends[at] ?? start, wordSeed);
}
