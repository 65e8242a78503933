import { hashOfUnits, mixHash } from '../../platform/language/word-hash.ts';
import { type WordUnits, wordsOf } from '../../platform/language/word-units.ts';
import { addWordVector, wordVectorDimensions } from '../../platform/language/word-vectors.ts';
import { stopWords } from './stop-words.ts';
import { toUnitLength } from './unit-length.ts';

/**
 * The last number of the name must be increased with every change that gives different vectors,
 * because vectors of different versions are not comparable.
 */
export const hashingSpace = { name: 'hashing-356-3', dimensions: 356 } as const;

/** The numbers after those of the meaning. A power of two. */
const hashedDimensions = 256;
/** The share of the meaning in the product of two English texts. */
const meaningShare = 0.92;
/** A text is English if this share of its words is known; from the second on it certainly is. */
const knownShares = { min: 0.4, certain: 0.7 };

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
 * Computes the vector of a text without a model, in two parts. The first has the sum of the vectors
 * of known English words, so that English texts are similar if they mean the same. For the second,
 * words, pairs of words and fragments of words are hashed, with signs, so that texts of any language
 * are similar if they share words or parts of words. A text without words has the zero vector.
 */
export function embedByHashing(text: string): Float32Array {
  const { meaning, hashed, englishShare } = embedParts(text);
  const vector = new Float32Array(hashingSpace.dimensions);
  const share = meaningShare * englishShare;
  copyScaled(meaning, Math.sqrt(share), vector, 0);
  copyScaled(hashed, Math.sqrt(1 - share), vector, wordVectorDimensions);
  return toUnitLength(vector);
}

function copyScaled(from: Float32Array, scale: number, to: Float32Array, start: number): void {
  for (let at = 0; at < from.length; at += 1) to[start + at] = (from[at] ?? 0) * scale;
}

/** How much of a text its vector has the meaning of, from 0 to 1: names and numbers have none. */
export function meaningShareOf(text: string): number {
  const { englishShare, known, unknown, numbers } = embedParts(text);
  return (englishShare * known) / Math.max(1, known + unknown + numbers);
}

function embedParts(text: string) {
  const words = wordsOf(text);
  const meaning = new Float32Array(wordVectorDimensions);
  const hashed = new Float32Array(hashedDimensions);
  const pairs = new Set<number>();
  let previous: number | undefined;
  let known = 0;
  let unknown = 0;
  let numbers = 0;
  for (const { hash, at, count } of countWords(words, (hash) => {
    if (previous !== undefined) pairs.add(Math.imul(previous, 31) ^ hash);
    previous = hash;
  })) {
    const weight = weightOf(words, at, hash) * (1 + Math.log(count));
    add(hashed, hash, weight);
    if (stopWordHashes.has(hash)) continue;
    addFragments(hashed, words, at, { hash, weight: weight * fragmentWeight });
    if (addWordVector(meaning, hash, 1 + Math.log(count)) > 0) known += 1;
    else if (isDigit(words.units[words.starts[at] ?? 0] ?? 0)) numbers += 1;
    else unknown += 1;
  }
  for (const pair of pairs) add(hashed, mixHash(pair), pairWeight);
  const { min, certain } = knownShares;
  const position = (known / Math.max(1, known + unknown) - min) / (certain - min);
  const englishShare = known === 0 ? 0 : Math.max(0, Math.min(1, position));
  return {
    ...{ meaning: toUnitLength(meaning), hashed: toUnitLength(hashed) },
    ...{ englishShare, known, unknown, numbers },
  };
}

type WordCount = { hash: number; at: number; count: number };

function countWords(words: WordUnits, onWord: (hash: number) => void): Iterable<WordCount> {
  const counts = new Map<number, WordCount>();
  for (let at = 0; at < words.starts.length; at++) {
    const hash = hashOfUnits(words.units, words.starts[at] ?? 0, words.ends[at] ?? 0);
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
  words: WordUnits,
  at: number,
  { hash, weight }: { hash: number; weight: number },
): void {
  const length = (words.ends[at] ?? 0) - (words.starts[at] ?? 0);
  if (length < fragmentWordUnitsMin) return;
  const count = fragmentCount(length);
  const share = weight / Math.sqrt(count);
  const isShort = length <= rememberedUnitsMax;
  const numbers = isShort ? rememberedWords : new Uint16Array(wordNumbers(length));
  const start = isShort ? (hash & (rememberedWordsMax - 1)) * rememberedNumbers : 0;
  if (!isSameWord(numbers, start, words, at)) writeWord(numbers, start, words, at);
  const first = start + 1 + length;
  const end = first + count * dimensionsPerFeature;
  for (let index = first; index < end; index += 1) addFeature(vector, numbers[index] ?? 0, share);
}

function fragmentCount(length: number): number {
  let count = 0;
  for (const size of fragmentUnits) count += Math.max(0, length - size + 1);
  return count;
}

// Texts repeat most of their words, so the fragments of many short words are remembered. A word has
// a place by its hash, with its length, its units and what its fragments add to a vector. It is one
// array, because an object for each word costs more than is saved.
const rememberedWordsMax = 16_384;
const rememberedUnitsMax = 12;
const wordNumbers = (length: number) => 1 + length + fragmentCount(length) * dimensionsPerFeature;
const rememberedNumbers = wordNumbers(rememberedUnitsMax);
const rememberedWords = new Uint16Array(rememberedWordsMax * rememberedNumbers);

function isSameWord(numbers: Uint16Array, start: number, words: WordUnits, at: number): boolean {
  const from = words.starts[at] ?? 0;
  const length = (words.ends[at] ?? 0) - from;
  if (numbers[start] !== length) return false;
  for (let index = 0; index < length; index += 1)
    if (numbers[start + 1 + index] !== words.units[from + index]) return false;
  return true;
}

function writeWord(
  numbers: Uint16Array,
  start: number,
  { units, starts, ends }: WordUnits,
  at: number,
): void {
  const from = starts[at] ?? 0;
  const end = ends[at] ?? 0;
  let next = start;
  numbers[next++] = end - from;
  for (let index = from; index < end; index += 1) numbers[next++] = units[index] ?? 0;
  for (const size of fragmentUnits)
    for (let first = from; first + size <= end; first += 1) {
      let bits = hashOfUnits(units, first, first + size, fragmentSeed);
      for (let round = 0; round < dimensionsPerFeature; round++) {
        numbers[next++] = featureOf(bits);
        bits = nextBits(bits);
      }
    }
}

function add(vector: Float32Array, hash: number, weight: number): void {
  let bits = hash;
  for (let round = 0; round < dimensionsPerFeature; round++) {
    addFeature(vector, featureOf(bits), weight);
    bits = nextBits(bits);
  }
}

/** A change of the vector: twice the dimension, plus one for "up". */
const featureOf = (bits: number): number => bits & (2 * hashedDimensions - 1);
const nextBits = (bits: number): number => mixHash(bits + 0x9e3779b9);

function addFeature(vector: Float32Array, feature: number, weight: number): void {
  const dimension = feature >>> 1;
  vector[dimension] = (vector[dimension] ?? 0) + (feature & 1 ? weight : -weight);
}

const fragmentSeed = 0x2b9a1f47;

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

export const isStopWord = (hash: number): boolean => stopWordHashes.has(hash);

const stopWordHashes: ReadonlySet<number> = new Set(hashesOf(wordsOf(stopWords)));

function* hashesOf({ units, starts, ends }: WordUnits): Generator<number> {
  for (const [at, start] of starts.entries()) yield hashOfUnits(units, start, ends[at] ?? start);
}
