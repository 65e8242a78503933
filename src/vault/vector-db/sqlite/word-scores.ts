import type { PassageFile } from './passage-file.ts';
import type { ScoredPassage } from './search-file.ts';

const passagesPerBlock = 256;
/** Of a million passages, which take 12 MB. */
const rememberedBlocksMax = 4_096;

/** `lengths`: how many words each passage has in all columns. `scores` are those of one search. */
type Block = { first: number; lengths: Int32Array; scores: Float64Array };

export type WordScores = ReturnType<typeof createWordScores>;
export type FoundPassages = ReturnType<WordScores['beginSearch']>;

/**
 * The lengths of passages are read from the index and remembered in blocks of consecutive passages.
 * They never change: the passages of a version that a search sees are all there, and no other
 * version gets their ids.
 */
export function createWordScores({ prepare }: PassageFile) {
  const blocks = new Map<number, Block>();

  function readBlock(first: number): Block {
    const block: Block = {
      first,
      lengths: new Int32Array(passagesPerBlock),
      scores: new Float64Array(passagesPerBlock),
    };
    const rows = prepare('select id, sz from word_docsize where id between ? and ?').all(
      first,
      first + passagesPerBlock - 1,
    );
    for (const { id, sz } of rows)
      if (sz instanceof Uint8Array)
        block.lengths[Number(id) - first] = varintsIn(sz).reduce((sum, count) => sum + count, 0);
    blocks.set(first, block);
    return block;
  }

  return {
    beginSearch() {
      if (blocks.size >= rememberedBlocksMax) blocks.clear();
      const touched = new Set<Block>();
      let last: Block | undefined;
      const blockOf = (id: number): Block => {
        const first = id - (id % passagesPerBlock);
        if (last?.first === first) return last;
        last = blocks.get(first) ?? readBlock(first);
        if (!touched.has(last)) {
          touched.add(last);
          last.scores.fill(0);
        }
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
          for (const { first, scores } of touched)
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
