import type { FencedPassage } from '../fence.ts';
import { WordIndex } from '../word-index.ts';
import { type Language, languageOf, similarity } from '../words.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { nothingFoundAnswer } from './nothing-found.ts';
import { addsWords, type QuestionWord, questionWordsOf } from './question-words.ts';
import { createWordSimilarity, type WordSimilarity } from './word-meaning.ts';

const sentencesMax = 3;
// The best sentence must cover this share of the words of the question, and the others must have this
// share of the score of the best. A sentence that covers them by related words must cover more,
// because related words are often about something else. All numbers here were chosen on the tuning
// part of the labelled set (test/bench/answers.ts).
export const coverageMin = 0.42;
export const relatedDiscount = 0.1;
const shareOfBestMin = 0.75;
// Below this coverage it is not certain which sentence has the answer.
export const certainCoverage = 0.8;
const neighbours = { distances: [1, -1, 2], charactersMax: 400 };
const questionCharactersMax = 20_000;

const asksForNumber: Record<Language, RegExp> = {
  de: /\b(wie (lange?|hoch|oft|alt|weit|gro(ß|ss)|teuer|schwer|laut|warm|heiß|breit|tief|schnell|dick|stark|spät|früh)|wann|um wieviel)\b/i,
  en: /\b(how (long|high|often|old|far|large|big|heavy|loud|hot|warm|cold|wide|tall|deep|fast|thick|strong|late|early|soon)|when|what (time|date|year|percentage))\b/i,
};
const asksForCount: Record<Language, RegExp> = {
  de: /\bwie ?viele?\b/i,
  en: /\bhow (many|much)\b/i,
};
const numberShare = 1.25;
/** "How many" is hardly answered by a sentence without a number. */
const noNumberShare = 0.7;
const numberPattern =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand|half|once|twice|none|ein(?:e[nrms]?|mal)?|zwei(?:mal)?|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|vierzig|fünfzig|sechzig|hundert|tausend|halb|keine?)\b/i;

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
  const questionWords = questionWordsOf(
    question,
    context.slice(0, questionCharactersMax),
    language,
  );
  // A follow-up names what is different from the question before, such as another country, so
  // related words would mislead.
  const relatedWords =
    context === ''
      ? createWordSimilarity(
          questionWords.map(({ word }) => word),
          question,
          passages,
        )
      : similarity;
  const equal = coverWords(questionWords, candidates, similarity);
  const related = coverWords(questionWords, candidates, relatedWords);
  if (equal.total === 0) return [nothingFoundAnswer(language, passages)];
  const numberFactor = numberFactorFor(question, language);
  const scored = candidates.map((candidate, index) => {
    const relatedCoverage = (related.byCandidate[index] ?? 0) / related.total;
    const coverage = Math.max(
      (equal.byCandidate[index] ?? 0) / equal.total,
      relatedCoverage - relatedDiscount,
    );
    const { factor, isMissing } = numberFactor(candidate.text);
    // Of sentences with equal coverage, a full sentence ranks before a title, a sentence with a
    // number ranks higher if the question asks for a number, and then the order of the search
    // result decides.
    const score =
      relatedCoverage * (isTitle(candidate) ? 0.5 : 1) * factor * passageWeight(candidate) -
      candidate.order * 0.0001;
    return { ...candidate, coverage: isMissing ? coverage * factor : coverage, score };
  });
  const ranked = scored
    .filter(({ coverage }) => coverage >= coverageMin)
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best) return [nothingFoundAnswer(language, passages)];
  const chosen = withoutDuplicates(
    ranked.filter(({ score }) => score >= best.score * shareOfBestMin),
  ).slice(0, sentencesMax);
  const isComplete = best.coverage >= certainCoverage && addsWords(best.words, questionWords);
  const answer = isComplete ? chosen : withNeighbours(chosen, candidates);
  return answer.map(({ text, number }, index) => `${index > 0 ? ' ' : ''}${text} [${number}]`);
}

/** What a sentence with or without a number counts for a question. */
export function numberFactorFor(
  question: string,
  language: Language,
): (text: string) => { factor: number; isMissing: boolean } {
  const asksCount = asksForCount[language].test(question);
  const asksNumber = asksCount || asksForNumber[language].test(question);
  return (text) => {
    if (!asksNumber) return { factor: 1, isMissing: false };
    if (/\d/.test(text)) return { factor: numberShare, isMissing: false };
    const isMissing = asksCount && !numberPattern.test(text);
    return { factor: isMissing ? noNumberShare : 1, isMissing };
  };
}

/**
 * Adds what stands beside the best sentence: the answer to a question in other words is often there.
 * A row of a table is complete without its neighbours.
 */
export function withNeighbours<Part extends Pick<Candidate, 'number' | 'order' | 'text'>>(
  chosen: readonly Part[],
  candidates: readonly Candidate[],
): Pick<Candidate, 'number' | 'text'>[] {
  const [best] = chosen;
  if (!best || isRow(best)) return [...chosen];
  const answer: Pick<Candidate, 'number' | 'text'>[] = [...chosen];
  let characters = chosen.reduce((sum, { text }) => sum + text.length, 0);
  for (const distance of neighbours.distances) {
    const neighbour = candidates[best.order + distance];
    if (!neighbour || neighbour.number !== best.number || isRow(neighbour) || isTitle(neighbour))
      continue;
    if (answer.some(({ text }) => text === neighbour.text)) continue;
    if (characters + neighbour.text.length > neighbours.charactersMax) continue;
    characters += neighbour.text.length;
    answer.push(neighbour);
  }
  return answer;
}

const isRow = ({ text }: { text: string }): boolean => text.includes(' | ');

/** Passages are numbered in the order of the search. */
export const passageWeight = ({ number }: { number: number }): number =>
  1 - (passageOrderShare * Math.min(number - 1, passagesPerSearch)) / passagesPerSearch;

/**
 * How much of the question each candidate covers. Rare words have a higher weight. `total` is the
 * weight of all words.
 */
function coverWords(
  questionWords: readonly QuestionWord[],
  candidates: readonly Candidate[],
  similarityOf: WordSimilarity,
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
    // Each distinct word is compared once, although several indexes have it.
    const similarities = new Map<string, number>();
    const measure = (other: string): number => {
      const known = similarities.get(other);
      if (known !== undefined) return known;
      const value = similarityOf(word, other);
      similarities.set(other, value);
      return value;
    };
    const matches = own.bestByGroup(measure);
    const weight = wordWeight * rarityWeight(matches.size, candidates.length);
    total += weight;
    const shares = new Map(matches);
    for (const other of others)
      for (const [index, share] of other.index.bestByGroup(measure))
        shares.set(index, Math.max(shares.get(index) ?? 0, other.weight * share));
    for (const [index, share] of shares)
      byCandidate[index] = (byCandidate[index] ?? 0) + weight * share;
  }
  return { byCandidate, total };
}

export const isTitle = ({ text }: { text: string }): boolean =>
  text.length <= 80 && !/[.!:;|\d]/.test(text) && !/^[-*•–]/.test(text);

/** What a word that no sentence contains counts more than a word in one sentence. */
const missingFactor = 1.5;

/**
 * A word that many sentences contain has a low weight, and one that no sentence contains the highest:
 * the question may be about another subject.
 */
export const rarityWeight = (matches: number, candidates: number): number =>
  Math.log(1 + (candidates + 1) / (Math.max(matches, 1) + 0.5)) *
  (matches === 0 ? missingFactor : 1);

/** Overlapping passages contain the same sentence twice. */
function withoutDuplicates<Sentence extends { text: string }>(
  sentences: readonly Sentence[],
): Sentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => !seen.has(text) && seen.add(text));
}
