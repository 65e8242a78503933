import { idOf } from './passage-file.ts';
import { numbersPerByte, productTable, sketchBytes } from './sketch.ts';

const capacityMin = 64;
const capacityMax = 4_096;
const bytesTogether = 8;
const buckets = 4_096;

/** Consecutive passages of a version, from `at` on in each column of their chunk. */
type Run = { version: number; first: number; at: number; count: number };
/**
 * `columns`: the first bytes of all sketches in the chunk, then their second bytes, and so on. After
 * them comes one column of zeros, which fills the last group of columns that are added together.
 */
type Chunk = { columns: Uint8Array; capacity: number; used: number; runs: Run[] };
/** The runs of a chunk that a search sees. */
type SeenRuns = { chunk: Chunk; runs: readonly Run[] };
/** A range of columns that such runs cover without a gap. */
type Range = { chunk: Chunk; from: number; to: number };

export type SketchMemory = ReturnType<typeof createSketchMemory>;

/**
 * The sketches of a file in memory, by columns. All products with one byte come from the same part
 * of the product table, which then stays in the cache of the processor.
 */
export function createSketchMemory(dimensions: number) {
  const bytesEach = sketchBytes(dimensions);
  const columnCount = bytesEach + 1;
  let chunks: Chunk[] = [];

  const emptyChunk = (capacity: number): Chunk => ({
    ...{ columns: new Uint8Array(columnCount * capacity), capacity, used: 0, runs: [] },
  });

  /** A chunk with room for at least one more passage. */
  function openChunk(): Chunk {
    const open = chunks.find(({ used, capacity }) => used < capacity);
    if (open) return open;
    const last = chunks.at(-1);
    const canGrow = last !== undefined && last.capacity < capacityMax;
    const chunk = emptyChunk(canGrow ? last.capacity * 2 : last ? capacityMax : capacityMin);
    if (canGrow) {
      chunks.pop();
      for (const run of last.runs) copyRun(last, run, chunk);
    }
    chunks.push(chunk);
    return chunk;
  }

  /** Copies a run to the end of a chunk that has room for it. */
  function copyRun(source: Chunk, { version, first, at, count }: Run, chunk: Chunk): void {
    for (let column = 0; column < bytesEach; column += 1) {
      const from = column * source.capacity + at;
      chunk.columns.set(
        source.columns.subarray(from, from + count),
        column * chunk.capacity + chunk.used,
      );
    }
    chunk.runs.push({ version, first, at: chunk.used, count });
    chunk.used += count;
  }

  /** Adds a run of another chunk, in parts if chunks have no room for all of it. */
  function addRun(source: Chunk, { version, first, at, count }: Run): void {
    for (let done = 0; done < count; ) {
      const chunk = openChunk();
      const part = Math.min(count - done, chunk.capacity - chunk.used);
      copyRun(source, { version, first: first + done, at: at + done, count: part }, chunk);
      done += part;
    }
  }

  return {
    /** The id of the last row of the file that was added. */
    lastRow: 0,

    /** Adds the sketches of consecutive passages, as they are in the file: one after the other. */
    add(version: number, first: number, sketches: Uint8Array): void {
      const count = sketches.length / bytesEach;
      const source = emptyChunk(count);
      for (let passage = 0, byte = 0; passage < count; passage += 1)
        for (let column = 0; column < bytesEach; column += 1, byte += 1)
          source.columns[column * count + passage] = sketches[byte] ?? 0;
      addRun(source, { version, first, at: 0, count });
    },

    /** Forgets the sketches of all other versions. */
    keepOnly(isKept: (version: number) => boolean): void {
      for (const chunk of chunks) {
        const kept = chunk.runs.filter(({ version }) => isKept(version));
        if (kept.length === chunk.runs.length) continue;
        chunk.runs = [];
        chunk.used = 0;
        // Each run moves towards the beginning, over what is no longer needed.
        for (const run of kept) copyRun(chunk, run, chunk);
      }
      chunks = chunks.filter(({ used }) => used > 0);
    },

    /** The sketches that a search sees, and how many there are. */
    select(isSeen: (version: number) => boolean) {
      const seen = chunks.map((chunk) => ({
        chunk,
        runs: chunk.runs.filter(({ version }) => isSeen(version)),
      }));
      let total = 0;
      for (const { runs } of seen) for (const { count } of runs) total += count;
      return {
        total,
        /** Up to `count` ids of passages, those with the largest products of vector and sketch. */
        nearest(vector: Float32Array, count: number): number[] {
          if (total <= count) return idsAt(seen);
          const products = new Float32Array(total);
          addProducts(products, joinNeighbours(seen), vector);
          return idsAt(seen, isAmongLargest(products, count));
        },
      };
    },
  };
}

/** The ids of the passages in these runs, or of those whose place among them is chosen. */
function idsAt(
  seen: readonly SeenRuns[],
  isChosen: (place: number) => boolean = () => true,
): number[] {
  const ids: number[] = [];
  let place = 0;
  for (const { runs } of seen)
    for (const { version, first, count } of runs)
      for (let passage = 0; passage < count; passage += 1, place += 1)
        if (isChosen(place)) ids.push(idOf(version, first + passage));
  return ids;
}

function joinNeighbours(seen: readonly SeenRuns[]): Range[] {
  const ranges: Range[] = [];
  for (const { chunk, runs } of seen)
    for (const { at, count } of runs) {
      const last = ranges.at(-1);
      if (last?.chunk === chunk && last.to === at) last.to += count;
      else ranges.push({ chunk, from: at, to: at + count });
    }
  return ranges;
}

/** Adds the products of the vector with all sketches in the ranges. */
function addProducts(products: Float32Array, ranges: readonly Range[], vector: Float32Array): void {
  const bytesEach = sketchBytes(vector.length);
  // One more part, of zeros, is for the column of zeros.
  const table = new Float32Array((bytesEach + 1) * 256);
  table.set(productTable(vector));
  // The vector of a short question has no numbers in many of them.
  const usedBytes = Array.from({ length: bytesEach }, (_, byte) => byte).filter((byte) =>
    vector
      .subarray(byte * numbersPerByte, (byte + 1) * numbersPerByte)
      .some((number) => number !== 0),
  );
  while (usedBytes.length % bytesTogether !== 0) usedBytes.push(bytesEach);
  let start = 0;
  for (const range of ranges) {
    for (let at = 0; at < usedBytes.length; at += bytesTogether)
      addColumns(products, start, range, usedBytes.slice(at, at + bytesTogether), table);
    start += range.to - range.from;
  }
}

/** Adds the products with eight bytes of each sketch. */
function addColumns(
  products: Float32Array,
  start: number,
  { chunk: { columns, capacity }, from, to }: Range,
  bytes: readonly number[],
  table: Float32Array,
): void {
  const [c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0] = bytes.map(
    (byte) => byte * capacity,
  );
  const [t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0, t6 = 0, t7 = 0] = bytes.map(
    (byte) => byte * 256,
  );
  for (let at = from, product = start; at < to; at += 1, product += 1)
    products[product] =
      (products[product] ?? 0) +
      (table[t0 + (columns[c0 + at] ?? 0)] ?? 0) +
      (table[t1 + (columns[c1 + at] ?? 0)] ?? 0) +
      (table[t2 + (columns[c2 + at] ?? 0)] ?? 0) +
      (table[t3 + (columns[c3 + at] ?? 0)] ?? 0) +
      (table[t4 + (columns[c4 + at] ?? 0)] ?? 0) +
      (table[t5 + (columns[c5 + at] ?? 0)] ?? 0) +
      (table[t6 + (columns[c6 + at] ?? 0)] ?? 0) +
      (table[t7 + (columns[c7 + at] ?? 0)] ?? 0);
}

/**
 * Tells of each number, in their order, whether it is one of the `count` largest: exactly, but for
 * numbers that are nearly equal.
 */
function isAmongLargest(numbers: Float32Array, count: number): (at: number) => boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > most) most = number;
  }
  const width = (most - least) / buckets || 1;
  const bucketOf = (at: number) => Math.floor(((numbers[at] ?? 0) - least) / width);
  const frequencies = new Uint32Array(buckets + 1);
  for (let at = 0; at < numbers.length; at += 1) {
    const bucket = bucketOf(at);
    frequencies[bucket] = (frequencies[bucket] ?? 0) + 1;
  }
  let room = count;
  let last = buckets;
  for (; room > (frequencies[last] ?? 0); last -= 1) room -= frequencies[last] ?? 0;
  return (at) => {
    const bucket = bucketOf(at);
    if (bucket !== last) return bucket > last;
    room -= 1;
    return room >= 0;
  };
}
