import { type PassageFile, versionOf } from './passage-file.ts';
import type { ScoredPassage } from './search-file.ts';

const passagesPerBlock = 256;
/** 12 bytes for the length and score of each passage, and about 400 for the objects of a block. */
const bytesOf = (passages: number): number => 400 + 12 * passages;
const rememberedBytesMax = 64 * 1024 * 1024;
/** A block that this many searches have not used is forgotten when memory is full. */
const unusedSearches = 50;

/**
 * `lengths`: how many words each passage has in all columns. `scores` are those of one search.
 * `usedIn` is the number of the last search that used it.
 */
type Block = { first: number; lengths: Int32Array; scores: Float64Array; usedIn: number };
type ScoreOptions = { bytesMax?: number };

export type WordScores = ReturnType<typeof createWordScores>;
export type FoundPassages = ReturnType<WordScores['beginSearch']>;

/**
 * The lengths of passages are read from the index and remembered in blocks of consecutive passages.
 * A small document has a block of its size. They never change: the passages of a version that a
 * search sees are all there, and no other version gets their ids. If memory is too small for all
 * blocks of a file, each search reads the others again.
 */
export function createWordScores(
  { prepare }: Pick<PassageFile, 'prepare'>,
  { bytesMax = rememberedBytesMax }: ScoreOptions = {},
) {
  const remembered = new Map<number, Block>();
  let bytes = 0;
  let searches = 0;
  let lastCleanup = 0;

  function readBlock(first: number): Block {
    const rows = prepare(
      'select id, sz from word_docsize where id between ? and ? order by id',
    ).all(first, first + passagesPerBlock - 1);
    const size = Number(rows.at(-1)?.['id'] ?? first) - first + 1;
    const block: Block = {
      ...{ first, usedIn: 0 },
      lengths: new Int32Array(size),
      scores: new Float64Array(size),
    };
    for (const { id, sz } of rows)
      if (sz instanceof Uint8Array)
        block.lengths[Number(id) - first] = varintsIn(sz).reduce((sum, count) => sum + count, 0);
    return block;
  }

  function forget(isForgotten: (block: Block) => boolean): void {
    for (const [first, block] of remembered)
      if (isForgotten(block)) {
        remembered.delete(first);
        bytes -= bytesOf(block.lengths.length);
      }
  }

  function forgetUnused(): void {
    lastCleanup = searches;
    forget(({ usedIn }) => usedIn <= searches - unusedSearches);
  }

  function remember(block: Block): void {
    const isFull = () => bytes + bytesOf(block.lengths.length) > bytesMax;
    // Looking at all blocks takes a while, so it is not done in each search.
    if (isFull() && searches - lastCleanup >= unusedSearches) forgetUnused();
    if (isFull()) return;
    remembered.set(block.first, block);
    bytes += bytesOf(block.lengths.length);
  }

  return {
    /** Forgets the passages of all other versions. */
    keepOnly: (isKept: (version: number) => boolean): void =>
      forget(({ first }) => !isKept(versionOf(first))),

    beginSearch() {
      searches += 1;
      const touched = new Map<number, Block>();
      let last: Block | undefined;
      const touch = (first: number): Block => {
        const known = remembered.get(first);
        const block = known ?? readBlock(first);
        block.usedIn = searches;
        if (!known) remember(block);
        block.scores.fill(0);
        touched.set(first, block);
        return block;
      };
      const blockOf = (id: number): Block => {
        const first = id - (id % passagesPerBlock);
        if (last?.first !== first) last = touched.get(first) ?? touch(first);
        return last;
      };
      return {
        lengthOf(id: number): number {
          const { first, lengths } = blockOf(id);
          return lengths[id - first] ?? 0;
        },
        add(id: number, score: number): void {
          const { first, scores } = blockOf(id);
          scores[id - first] = (scores[id - first] ?? 0) + score;
        },
        *scores(): Generator<ScoredPassage> {
          for (const { first, scores } of touched.values())
            for (let at = 0; at < scores.length; at += 1) {
              const score = scores[at] ?? 0;
              if (score > 0) yield { id: first + at, score };
            }
        },
      };
    },
  };
}

/** The numbers in a record of FTS5: seven bits in each byte, and a mark that more follow. */
export function varintsIn(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}
