import type { QueryWords } from './words.ts';

/**
 * The most entries of the index that one search reads. Of a query with more, the most frequent words
 * are left out, because they say the least. At least this many words are used. Pieces of words are
 * in many more passages than words, and tell less.
 */
const wordBudget = { entriesMax: 30_000, min: 2, max: 64 };
const pieceBudget = { entriesMax: 5_000, min: 0, max: 32 };
type WordBudget = typeof wordBudget;

/** The words and pieces of a query that are searched. `countOf`: in how many passages a word is. */
export const searchedWords = (
  { words, pieces }: QueryWords,
  countOf: (word: string) => number,
): string[] => [
  ...rarestWords(words, countOf, wordBudget),
  ...rarestWords(pieces, countOf, pieceBudget),
];

function rarestWords(
  words: readonly string[],
  countOf: (word: string) => number,
  { entriesMax, min, max }: WordBudget,
): string[] {
  const counts = words
    .map((word) => ({ word, count: countOf(word) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, max);
  let entries = 0;
  return counts
    .filter(({ count }, index) => {
      entries += count;
      return index < min || entries <= entriesMax;
    })
    .map(({ word }) => word);
}
