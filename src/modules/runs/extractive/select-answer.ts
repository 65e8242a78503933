import type { FencedPassage } from '../fence.ts';
import { WordIndex } from '../word-index.ts';
import { contentWords, type Language, languageOf } from '../words.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { nothingFoundAnswer } from './nothing-found.ts';

const sentencesMax = 3;
// The best sentence must cover this share of the words of the question, and the others this share
// of the score of the best. Both were chosen on the tuning part of the labelled set
// (test/bench/answers.ts).
const coverageMin = 0.45;
const shareOfBestMin = 0.75;
// Limits of a question. The cost of an answer is the number of these words times the number of
// different words in the passages.
const questionCharactersMax = 20_000;
const questionWordsMax = 256;

const asksForNumber: Record<Language, RegExp> = {
  de: /\b(wie ?viele?|wie (lange?|hoch|oft|alt|weit|gro(ß|ss)|teuer|schwer|laut|warm|heiß|breit|tief|schnell|dick|stark|spät|früh)|wann|um wieviel)\b/i,
  en: /\b(how (many|much|long|high|often|old|far|large|big|heavy|loud|hot|warm|cold|wide|tall|deep|fast|thick|strong|late|early|soon)|when|what (time|date|year|percentage))\b/i,
};

/** `context`: the question before, if this one can only be understood with it. */
export type AnswerInput = {
  question: string;
  passages: readonly FencedPassage[];
  context?: string | undefined;
};

/**
 * A sentence such as "In Austria it is 50 euro" is about the subject of the sentence before it, and
 * of the headings above. Words of these count less than words of the sentence itself.
 */
export const wordWeights = { context: 0.6, heading: 0.75, surroundings: 0.5 };
/** A word of the question before counts this much. */
const followedWordWeight = 0.6;
/** A sentence of the best passage is preferred to an equal one of the last by this share. */
const passageOrderShare = 0.15;
const passagesPerSearch = 8;

/**
 * Selects the sentences that cover most of the words of the question, each with the number of its
 * passage. If no sentence covers enough of them, the answer says that nothing was found.
 */
export function selectAnswer(
  input: string,
  passages: readonly FencedPassage[],
  context = '',
): string[] {
  const question = input.slice(0, questionCharactersMax);
  const language =
    languageOf(question) ??
    languageOf(
      passages
        .map(({ text }) => text)
        .join('\n')
        .slice(0, 2_000),
    ) ??
    'en';
  const candidates = candidatesOf(passages);
  const coverages = coverWords(questionWordsOf(question, context), candidates);
  if (coverages.total === 0) return [nothingFoundAnswer(language, passages)];
  const asksNumber = asksForNumber[language].test(question);
  const scored = candidates.map((candidate, index) => {
    const coverage = (coverages.byCandidate[index] ?? 0) / coverages.total;
    // Of sentences with equal coverage, a full sentence ranks before a title, a sentence with a
    // number ranks higher if the question asks for a number, and then the order of the search
    // result decides.
    const score =
      coverage *
        (isTitle(candidate) ? 0.5 : 1) *
        (asksNumber && /\d/.test(candidate.text) ? 1.25 : 1) *
        passageWeight(candidate) -
      candidate.order * 0.0001;
    return { ...candidate, coverage, score };
  });
  const ranked = scored
    .filter(({ coverage }) => coverage >= coverageMin)
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best) return [nothingFoundAnswer(language, passages)];
  const chosen = withoutDuplicates(
    ranked.filter(({ score }) => score >= best.score * shareOfBestMin),
  ).slice(0, sentencesMax);
  return chosen.map(({ text, number }, index) => `${index > 0 ? ' ' : ''}${text} [${number}]`);
}

/** Passages are numbered in the order of the search. */
export const passageWeight = ({ number }: { number: number }): number =>
  1 - (passageOrderShare * Math.min(number - 1, passagesPerSearch)) / passagesPerSearch;

export type QuestionWord = { word: string; weight: number };

export function questionWordsOf(question: string, context: string): QuestionWord[] {
  const own = new Set(contentWords(question));
  const followed = new Set(contentWords(context.slice(0, questionCharactersMax)));
  return [
    ...[...own].map((word) => ({ word, weight: 1 })),
    ...[...followed]
      .filter((word) => !own.has(word))
      .map((word) => ({ word, weight: followedWordWeight })),
  ].slice(0, questionWordsMax);
}

/**
 * How much of the question each candidate covers. Rare words have a higher weight. `total` is the
 * weight of all words.
 */
function coverWords(
  questionWords: readonly QuestionWord[],
  candidates: readonly Candidate[],
): { byCandidate: Float64Array; total: number } {
  const own = new WordIndex(candidates.map(({ words }) => words));
  const others = [
    { index: new WordIndex(candidates.map(({ context }) => context)), weight: wordWeights.context },
    { index: new WordIndex(candidates.map(({ heading }) => heading)), weight: wordWeights.heading },
    {
      index: new WordIndex(candidates.map(({ surroundings }) => surroundings)),
      weight: wordWeights.surroundings,
    },
  ];
  const byCandidate = new Float64Array(candidates.length);
  let total = 0;
  for (const { word, weight: wordWeight } of questionWords) {
    const matches = own.similarityByGroup(word);
    const weight = wordWeight * rarityWeight(matches.size, candidates.length);
    total += weight;
    const shares = new Map(matches);
    for (const other of others)
      for (const [index, similarity] of other.index.similarityByGroup(word))
        shares.set(index, Math.max(shares.get(index) ?? 0, other.weight * similarity));
    for (const [index, share] of shares)
      byCandidate[index] = (byCandidate[index] ?? 0) + weight * share;
  }
  return { byCandidate, total };
}

export const isTitle = ({ text }: { text: string }): boolean =>
  text.length <= 80 && !/[.!:;|\d]/.test(text) && !/^[-*•–]/.test(text);

/**
 * A word that many sentences contain has a low weight. A word that no sentence contains counts like
 * a word in one sentence: the question may be about another subject.
 */
export const rarityWeight = (matches: number, candidates: number): number =>
  Math.log(1 + (candidates + 1) / (Math.max(matches, 1) + 0.5));

/** Overlapping passages contain the same sentence twice. */
function withoutDuplicates<Sentence extends { text: string }>(
  sentences: readonly Sentence[],
): Sentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => !seen.has(text) && seen.add(text));
}
