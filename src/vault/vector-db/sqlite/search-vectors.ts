import { idOf, type PassageFile, versionOf } from './passage-file.ts';
import type { RememberedVectors, StoredVector } from './remembered-vectors.ts';
import {
  bestFirst,
  isVisible,
  type ScoredPassage,
  type VisibleVersions,
  vectorIn,
} from './search-file.ts';
import { numbersPerByte, productTable, sketchBytes } from './sketch.ts';

type Block = { version: number; first: number; count: number; bytes: Uint8Array };
/** The sketches of a file in memory. `removals` tells whether passages have been removed since. */
export type Sketches = { removals: number; lastId: number; blocks: Block[] };

/** The parts of a file that a thread keeps in memory. */
export type FileMemory = { sketches: Sketches; remembered: RememberedVectors };

export const noSketches = (removals: number): Sketches => ({ removals, lastId: 0, blocks: [] });

/** Forgets versions that are no longer in the file, and keeps the others in memory. */
export function forgetRemoved(
  { prepare }: PassageFile,
  { sketches, remembered }: FileMemory,
): void {
  const rows = prepare('select distinct version from sketch').all();
  const stored = new Set(rows.map(({ version }) => Number(version)));
  sketches.blocks = sketches.blocks.filter(({ version }) => stored.has(version));
  remembered.keepOnly((id) => stored.has(versionOf(id)));
}

/**
 * Up to `allComparedMax` passages are all compared by their full vectors. Of more, those whose
 * sketches are nearest: so many for each one that is asked for, and at least `comparedMin`.
 */
const allComparedMax = 2_000;
const comparedPerResult = 5;
const comparedMin = 1_000;
const buckets = 4_096;
const bytesPerGroup = 4;
const numbersPerGroup = numbersPerByte * bytesPerGroup;

/** The nearest passages by cosine. */
export function searchVectors(
  file: PassageFile,
  { sketches, remembered }: FileMemory,
  vector: Float32Array,
  visible: VisibleVersions,
  limit: number,
): ScoredPassage[] {
  loadNewSketches(file, sketches, vector.length);
  const seesVersion = isVisible(visible);
  const blocks = sketches.blocks.filter(({ version }) => seesVersion(version));
  const total = blocks.reduce((sum, block) => sum + block.count, 0);
  const compared =
    total <= allComparedMax ? total : Math.max(comparedMin, limit * comparedPerResult);
  const candidates = nearestBySketch(blocks, vector, total, compared);
  const norm = Math.hypot(...vector);
  const isRemembered = remembered.hasRoomFor(total, vector.length);
  return vectorsOf(file, candidates, isRemembered ? remembered : undefined)
    .map(({ id, numbers, squares }) => ({
      id,
      score: cosine({ numbers: vector, norm }, { numbers, squares }),
    }))
    .sort(bestFirst)
    .slice(0, limit);
}

/** The vectors with these ids. Reading one from its file takes as long as comparing ten. */
function vectorsOf(
  file: PassageFile,
  ids: readonly number[],
  remembered: RememberedVectors | undefined,
): StoredVector[] {
  const found: StoredVector[] = [];
  const unknown: number[] = [];
  for (const id of ids) {
    const known = remembered?.get(id);
    if (known) found.push(known);
    else unknown.push(id);
  }
  if (unknown.length === 0) return found;
  const rows = file
    .prepare(
      'select passage, numbers from vector where passage in (select value from json_each(?))',
    )
    .all(JSON.stringify(unknown));
  for (const row of rows) {
    const numbers = vectorIn(row['numbers']);
    const stored = { id: Number(row['passage']), numbers, squares: squaresOf(numbers) };
    remembered?.add(stored);
    found.push(stored);
  }
  return found;
}

function loadNewSketches(file: PassageFile, sketches: Sketches, dimensions: number): void {
  const rows = file
    .prepare('select id, version, first, bytes from sketch where id > ? order by id')
    .all(sketches.lastId);
  for (const { id, version, first, bytes } of rows) {
    if (!(bytes instanceof Uint8Array)) continue;
    sketches.lastId = Number(id);
    sketches.blocks.push({
      version: Number(version),
      first: Number(first),
      count: bytes.length / sketchBytes(dimensions),
      bytes: padded(bytes),
    });
  }
}

/** Up to `count` ids, those with the largest products of vector and sketch. */
function nearestBySketch(
  blocks: readonly Block[],
  vector: Float32Array,
  total: number,
  count: number,
): number[] {
  const products = total > count ? productsOf(blocks, vector, total) : new Float32Array(total);
  const leastProduct = total > count ? nthLargest(products, count) : 0;
  const ids: number[] = [];
  let at = 0;
  for (const { version, first, count: passages } of blocks)
    for (let passage = 0; passage < passages; passage += 1, at += 1)
      if ((products[at] ?? 0) >= leastProduct && ids.length < count)
        ids.push(idOf(version, first + passage));
  return ids;
}

/** The products of the vector with all sketches, read four bytes at a time. */
function productsOf(blocks: readonly Block[], vector: Float32Array, total: number): Float32Array {
  const bytesEach = sketchBytes(vector.length);
  const groups = Math.ceil(bytesEach / bytesPerGroup);
  // The last group may end in the next sketch; what it has of that counts nothing.
  const table = new Float32Array(groups * bytesPerGroup * 256);
  table.set(productTable(vector));
  const isUsed = (group: number): boolean =>
    vector
      .subarray(group * numbersPerGroup, (group + 1) * numbersPerGroup)
      .some((number) => number !== 0);
  // The vector of a short question has no numbers in many of them.
  const used = Int32Array.from(Array.from({ length: groups }, (_, group) => group).filter(isUsed));
  const products = new Float32Array(total);
  let at = 0;
  for (const { bytes, count } of blocks)
    for (let passage = 0; passage < count; passage += 1, at += 1) {
      const from = passage * bytesEach;
      let product = 0;
      for (let index = 0; index < used.length; index += 1) {
        const byte = (used[index] ?? 0) * bytesPerGroup;
        const entry = byte * 256;
        product +=
          (table[entry + (bytes[from + byte] ?? 0)] ?? 0) +
          (table[entry + 256 + (bytes[from + byte + 1] ?? 0)] ?? 0) +
          (table[entry + 512 + (bytes[from + byte + 2] ?? 0)] ?? 0) +
          (table[entry + 768 + (bytes[from + byte + 3] ?? 0)] ?? 0);
      }
      products[at] = product;
    }
  return products;
}

/** A number that about `count` others reach: exactly, but for numbers that are nearly equal. */
function nthLargest(numbers: Float32Array, count: number): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > most) most = number;
  }
  const width = (most - least) / buckets || 1;
  const frequencies = new Uint32Array(buckets + 1);
  for (const number of numbers) {
    const bucket = Math.floor((number - least) / width);
    frequencies[bucket] = (frequencies[bucket] ?? 0) + 1;
  }
  let reached = 0;
  for (let bucket = buckets; bucket > 0; bucket -= 1) {
    reached += frequencies[bucket] ?? 0;
    if (reached >= count) return least + bucket * width;
  }
  return least;
}

function cosine(
  query: { numbers: Float32Array; norm: number },
  { numbers, squares }: Pick<StoredVector, 'numbers' | 'squares'>,
): number {
  let product = 0;
  for (let index = 0; index < numbers.length; index += 1)
    product += (numbers[index] ?? 0) * (query.numbers[index] ?? 0);
  const norms = query.norm * Math.sqrt(squares);
  return norms === 0 ? 0 : product / norms;
}

function squaresOf(numbers: Float32Array): number {
  let squares = 0;
  for (let index = 0; index < numbers.length; index += 1) squares += (numbers[index] ?? 0) ** 2;
  return squares;
}

/** Reading after the end of an array makes V8 slow for all of its elements. */
function padded(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length + bytesPerGroup);
  copy.set(bytes);
  return copy;
}
