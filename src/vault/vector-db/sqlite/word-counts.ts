import type { PassageFile } from './passage-file.ts';

type WordCount = { count: number; passages: number; expiresAt: number };

const rememberedCountsMax = 20_000;
/** Below this, SQLite counts a word in less than a tenth of a millisecond. */
const frequentFrom = 500;
/** A remembered count is used until this share of the passages has been added or removed. */
const changedShareMax = 0.01;
const rememberedMs = 600_000;

export type WordCounts = ReturnType<typeof createWordCounts>;

/**
 * In how many passages words are. SQLite reads all entries of a word to count them, so the counts of
 * frequent words are remembered for a while: they decide only which of them a search leaves out.
 */
export function createWordCounts({ numberOf }: PassageFile) {
  const remembered = new Map<string, WordCount>();
  return {
    /** `passages`: how many there are now. */
    counterFor(passages: number): (word: string) => number {
      const now = performance.now();
      const isUsable = (known: WordCount) =>
        known.expiresAt > now &&
        Math.abs(passages - known.passages) <= changedShareMax * known.passages;
      return (word) => {
        const known = remembered.get(word);
        if (known && isUsable(known)) return known.count;
        const count = numberOf('select doc from word_count where term = ?', word);
        if (count < frequentFrom) return count;
        if (remembered.size >= rememberedCountsMax) remembered.clear();
        remembered.set(word, { count, passages, expiresAt: now + rememberedMs });
        return count;
      };
    },
  };
}
