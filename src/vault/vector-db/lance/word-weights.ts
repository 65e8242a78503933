import type { PassageHit } from './rows.ts';

// The BM25 parameters of Lance.
const saturation = 1.2;
const lengthWeight = 0.75;
const sampleTexts = 200;
const cachedWordsMax = 20_000;

type WordWeightsDependencies = {
  bestHit: (word: string) => Promise<PassageHit | undefined>;
  rows: () => Promise<number>;
  texts: (limit: number) => Promise<string[]>;
};

/**
 * Computes BM25 scores with the word statistics of one table for passages of another table. Scores of
 * two tables cannot be compared: a word that is rare in the main table may occur in half of the
 * twenty recent passages. Lance does not report how rare a word is in a table, so this is derived
 * from the score of the best passage for this word alone, divided by the term frequency factor.
 */
export function createWordWeights({ bestHit, rows, texts }: WordWeightsDependencies) {
  let weights = new Map<string, Promise<number>>();
  let cachedAverageLength: Promise<number> | undefined;

  const measureLength = async () => {
    const lengths = (await texts(sampleTexts)).map((text) => wordsOf(text).length);
    return Math.max(
      1,
      lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length),
    );
  };
  const measureWeight = async (word: string, averageLength: number) => {
    const hit = await bestHit(word);
    const words = hit ? wordsOf(hit.text) : [];
    const factor = termFrequencyFactor(
      countWords(words).get(word) ?? 0,
      words.length,
      averageLength,
    );
    return hit && factor > 0 ? hit.score / factor : Math.log(1 + ((await rows()) + 0.5) / 0.5);
  };
  const weightOf = (word: string, averageLength: number) => {
    const weight = weights.get(word) ?? measureWeight(word, averageLength);
    if (weights.size >= cachedWordsMax) weights.clear();
    weights.set(word, weight);
    return weight;
  };

  return {
    async rescore(query: string, hits: readonly PassageHit[]): Promise<PassageHit[]> {
      cachedAverageLength ??= measureLength();
      const averageLength = await cachedAverageLength;
      const queryWords = new Set(wordsOf(query));
      return Promise.all(
        hits.map(async (hit) => {
          const words = wordsOf(hit.text);
          const matchingWords = [...countWords(words)].filter(([word]) => queryWords.has(word));
          const termScores = await Promise.all(
            matchingWords.map(
              async ([word, occurrences]) =>
                (await weightOf(word, averageLength)) *
                termFrequencyFactor(occurrences, words.length, averageLength),
            ),
          );
          return { ...hit, score: termScores.reduce((sum, score) => sum + score, 0) };
        }),
      );
    },
    /** Drops the cached statistics after the table has changed. */
    reset() {
      weights = new Map();
      cachedAverageLength = undefined;
    },
  };
}

/** Splits a text nearly as the index does: lower case, without accents. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function countWords(words: readonly string[]): Map<string, number> {
  const occurrences = new Map<string, number>();
  for (const word of words) occurrences.set(word, (occurrences.get(word) ?? 0) + 1);
  return occurrences;
}

const termFrequencyFactor = (
  occurrences: number,
  length: number,
  cachedAverageLength: number,
): number =>
  (occurrences * (saturation + 1)) /
  (occurrences + saturation * (1 - lengthWeight + (lengthWeight * length) / cachedAverageLength));
