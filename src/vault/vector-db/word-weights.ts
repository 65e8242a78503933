import type { Hit } from './rows.ts';

// As Lance counts BM25.
const saturation = 1.2;
const lengthWeight = 0.75;
const sampleTexts = 200;
const keptWordsMax = 20_000;

type Reference = {
  best: (word: string) => Promise<Hit | undefined>;
  rows: () => Promise<number>;
  texts: (limit: number) => Promise<string[]>;
};

/**
 * BM25 by the words of one table for passages of another. A word that is rare among all passages
 * may be in half of the twenty that came today, so that scores of two tables can not stand in one
 * list. How rare a word is in a table, Lance does not tell; its best passage for this word alone
 * does, for how much of the score comes from the passage is known.
 */
export function createWordWeights({ best, rows, texts }: Reference) {
  let weights = new Map<string, Promise<number>>();
  let usualLength: Promise<number> | undefined;

  const measureLength = async () => {
    const lengths = (await texts(sampleTexts)).map((text) => wordsOf(text).length);
    return Math.max(
      1,
      lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length),
    );
  };
  const measureWeight = async (word: string, usual: number) => {
    const hit = await best(word);
    const words = hit ? wordsOf(hit.text) : [];
    const share = shareOf(timesOf(words).get(word) ?? 0, words.length, usual);
    return hit && share > 0 ? hit.score / share : Math.log(1 + ((await rows()) + 0.5) / 0.5);
  };
  const weightOf = (word: string, usual: number) => {
    const weight = weights.get(word) ?? measureWeight(word, usual);
    if (weights.size >= keptWordsMax) weights.clear();
    weights.set(word, weight);
    return weight;
  };

  return {
    async rescore(question: string, hits: readonly Hit[]): Promise<Hit[]> {
      usualLength ??= measureLength();
      const usual = await usualLength;
      const asked = new Set(wordsOf(question));
      return Promise.all(
        hits.map(async (hit) => {
          const words = wordsOf(hit.text);
          const present = [...timesOf(words)].filter(([word]) => asked.has(word));
          const parts = await Promise.all(
            present.map(
              async ([word, times]) =>
                (await weightOf(word, usual)) * shareOf(times, words.length, usual),
            ),
          );
          return { ...hit, score: parts.reduce((sum, part) => sum + part, 0) };
        }),
      );
    },
    /** The table is not what it was. */
    renew() {
      weights = new Map();
      usualLength = undefined;
    },
  };
}

/** Nearly as the index takes a text apart: small letters without accents. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function timesOf(words: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
}

const shareOf = (times: number, length: number, usualLength: number): number =>
  (times * (saturation + 1)) /
  (times + saturation * (1 - lengthWeight + (lengthWeight * length) / usualLength));
