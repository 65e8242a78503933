import { stopWords } from './stop-words.ts';
import { toUnitLength } from './unit-length.ts';
import { type Words, wordsOf } from './words.ts';

/**
 * The last number is raised with every change that makes other vectors: vectors of different
 * numbers must never meet.
 */
export const hashingSpace = { name: 'hashing-256-1', dimensions: 256 } as const;

/** What a feature weighs beside a word of its own. */
const stopWordWeight = 0.1;
const pairWeight = 0.4;
const fragmentWeight = 0.7;
/** Fragments let inflections and German compounds meet: "Urlaub" and "Jahresurlaubs". */
const fragmentUnits = [3, 4, 5];
const fragmentWordUnitsMin = 4;
/**
 * Each feature is spread over this many numbers of the vector, so that two that collide in one
 * differ in the others.
 */
const spread = 4;

/**
 * The vector of a text, computed from its words alone, without a model: words, pairs of words and
 * fragments of words are hashed, with signs, into a fixed number of dimensions. Texts are near each
 * other when they share words or parts of words; it knows nothing of what words mean. A text
 * without any word has the zero vector.
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
    if (!damped.has(hash)) addFragments(vector, words, at, weight * fragmentWeight);
  }
  for (const pair of pairs) add(vector, mix(pair), pairWeight);
  return toUnitLength(vector);
}

type Counted = { hash: number; at: number; count: number };

function countWords(words: Words, onWord: (hash: number) => void): Iterable<Counted> {
  const counted = new Map<number, Counted>();
  for (let at = 0; at < words.starts.length; at++) {
    const hash = hashOf(words.units, words.starts[at] ?? 0, words.ends[at] ?? 0, wordSeed);
    const known = counted.get(hash);
    if (known) known.count++;
    else counted.set(hash, { hash, at, count: 1 });
    onWord(hash);
  }
  return counted.values();
}

/** Long words are rarer and say more; nothing here has seen a corpus that could tell it better. */
function weightOf({ starts, ends }: Words, at: number, hash: number): number {
  if (damped.has(hash)) return stopWordWeight;
  const length = (ends[at] ?? 0) - (starts[at] ?? 0);
  return length < 3 ? 0.6 : Math.min(1.6, 0.8 + length * 0.08);
}

function addFragments(
  vector: Float32Array,
  { units, starts, ends }: Words,
  at: number,
  weight: number,
): void {
  const start = starts[at] ?? 0;
  const end = ends[at] ?? 0;
  const length = end - start;
  if (length < fragmentWordUnitsMin) return;
  let count = 0;
  for (const size of fragmentUnits) count += Math.max(0, length - size + 1);
  const each = weight / Math.sqrt(count);
  for (const size of fragmentUnits)
    for (let from = start; from + size <= end; from++)
      add(vector, hashOf(units, from, from + size, fragmentSeed), each);
}

function add(vector: Float32Array, hash: number, weight: number): void {
  let bits = hash;
  for (let turn = 0; turn < spread; turn++) {
    const index = (bits >>> 1) & (hashingSpace.dimensions - 1);
    vector[index] = (vector[index] ?? 0) + (bits & 1 ? weight : -weight);
    bits = mix(bits + 0x9e3779b9);
  }
}

const wordSeed = 0x811c9dc5;
const fragmentSeed = 0x2b9a1f47;

/** FNV-1a over code units, then the finish of MurmurHash3, so that near words land far apart. */
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

const damped: ReadonlySet<number> = new Set(hashesOf(wordsOf(stopWords)));

function* hashesOf({ units, starts, ends }: Words): Generator<number> {
  for (const [at, start] of starts.entries())
    yield hashOf(units, start, ends[at] ?? start, wordSeed);
}
