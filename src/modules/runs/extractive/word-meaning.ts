import { knownWordOf, relatednessOf } from '../../../platform/language/word-vectors.ts';
import type { FencedPassage } from '../fence.ts';
import { formsByStem, similarity } from '../words.ts';

/**
 * The cosine from which words are related, the one from which they mean the same, and what a related
 * word counts at most. Chosen on the tuning part of the labelled set (test/bench/answers.ts).
 */
const relatedness = { min: 0.4, same: 0.8, countsMax: 0.8 };
/**
 * A related word counts this share if the passages have the word itself: "Germany" is related to
 * "Austria", but does not mean it.
 */
const shareOfKnown = 0.3;
/**
 * Only so many words of a question are compared by meaning, which costs ten times as much as by
 * letters.
 */
const comparedWordsMax = 24;

export type WordSimilarity = (searched: string, word: string) => number;

/**
 * Compares the stems of a question with those of passages by their letters and by their meaning:
 * "vacation" is similar to "holiday". Words have a meaning in English only.
 */
export function createWordSimilarity(
  searchedWords: readonly string[],
  question: string,
  passages: readonly FencedPassage[],
): WordSimilarity {
  const questionForms = formsByStem([question]);
  const forms = formsByStem(
    passages.flatMap(({ text, file = '', under = [] }) => [text, ...under, file]),
  );
  const knownWords = new Map<string, number | undefined>();
  const knownOf = (stem: string): number | undefined => {
    if (knownWords.has(stem)) return knownWords.get(stem);
    const known = knownWordOf(forms.get(stem) ?? questionForms.get(stem) ?? stem);
    knownWords.set(stem, known);
    return known;
  };
  const compared = new Set(searchedWords.slice(0, comparedWordsMax));
  return (searched, word) => {
    const byLetters = similarity(searched, word);
    if (byLetters >= relatedness.countsMax || !compared.has(searched)) return byLetters;
    const [first, second] = [knownOf(searched), knownOf(word)];
    if (first === undefined || second === undefined) return byLetters;
    const { min, same, countsMax } = relatedness;
    const position = (relatednessOf(first, second) - min) / (same - min);
    const share = countsMax * Math.max(0, Math.min(1, position));
    return Math.max(byLetters, forms.has(searched) ? shareOfKnown * share : share);
  };
}
