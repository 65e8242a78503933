import type { FencedPassage } from '../fence.ts';
import { sentencesOf } from '../sentences.ts';
import { WordIndex } from '../word-index.ts';
import { contentWords, type Language, languageOf } from '../words.ts';

const sentencesMax = 3;
// The best sentence must cover this share of the words of the question, and the others this share
// of the score of the best.
const coverageMin = 0.45;
const shareOfBestMin = 0.75;
const sentenceCharactersMax = 1_000;
// Limits of a question. The cost of an answer is the number of these words times the number of
// different words in the passages.
const questionCharactersMax = 20_000;
const questionWordsMax = 256;

const nothingFoundAnswer: Record<Language, string> = {
  de: 'Dazu steht nichts in der Wissensbasis dieses Assistenten.',
  en: 'The knowledge base of this assistant holds nothing on that.',
};

const asksForNumber: Record<Language, RegExp> = {
  de: /\b(wie ?viele?|wie (lange|hoch|oft|alt|weit|gro(ß|ss)|teuer)|wann|um wieviel)\b/i,
  en: /\b(how (many|much|long|high|often|old|far|large|big)|when|what (time|date|year|percentage))\b/i,
};

export type AnswerInput = { question: string; passages: readonly FencedPassage[] };

type CandidateSentence = {
  number: number;
  order: number;
  text: string;
  words: readonly string[];
  /** The words of the heading or sentence before this one, which it may refer to. */
  context: readonly string[];
};

// A sentence such as "In Austria it is 50 euro" is about the subject of the sentence before it.
// Words of that context count less than words of the sentence itself.
const contextWeight = 0.6;

/**
 * Selects the sentences that cover most of the words of the question, each with the number of its
 * passage. If no sentence covers enough of them, the answer says that nothing was found.
 */
export function selectAnswer(input: string, passages: readonly FencedPassage[]): string[] {
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
  const questionWords = [...new Set(contentWords(question))].slice(0, questionWordsMax);
  const candidates = candidatesOf(passages);
  const coverages = coverWords(questionWords, candidates);
  if (coverages.total === 0) return [nothingFoundAnswer[language]];
  const asksNumber = asksForNumber[language].test(question);
  const scored = candidates.map((candidate, index) => {
    const coverage = (coverages.byCandidate[index] ?? 0) / coverages.total;
    // Of sentences with equal coverage, a full sentence ranks before a title, a sentence with a
    // number ranks higher if the question asks for a number, and then the order of the search
    // result decides.
    const score =
      coverage *
        (isTitle(candidate) ? 0.5 : 1) *
        (asksNumber && /\d/.test(candidate.text) ? 1.25 : 1) -
      candidate.order * 0.0001;
    return { ...candidate, coverage, score };
  });
  const ranked = scored
    .filter(({ coverage }) => coverage >= coverageMin)
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best) return [nothingFoundAnswer[language]];
  const chosen = withoutDuplicates(
    ranked.filter(({ score }) => score >= best.score * shareOfBestMin),
  ).slice(0, sentencesMax);
  return chosen.map(({ text, number }, index) => `${index > 0 ? ' ' : ''}${text} [${number}]`);
}

/**
 * How much of the question each candidate covers. Rare words have a higher weight. `total` is the
 * weight of all words.
 */
function coverWords(
  questionWords: readonly string[],
  candidates: readonly CandidateSentence[],
): { byCandidate: Float64Array; total: number } {
  const ownWords = new WordIndex(candidates.map(({ words }) => words));
  const contextWords = new WordIndex(candidates.map(({ context }) => context));
  const byCandidate = new Float64Array(candidates.length);
  let total = 0;
  for (const word of questionWords) {
    const own = ownWords.similarityByGroup(word);
    const weight = rarityWeight(own.size, candidates.length);
    total += weight;
    const shares = new Map(own);
    for (const [index, similarity] of contextWords.similarityByGroup(word))
      shares.set(index, Math.max(shares.get(index) ?? 0, contextWeight * similarity));
    for (const [index, share] of shares)
      byCandidate[index] = (byCandidate[index] ?? 0) + weight * share;
  }
  return { byCandidate, total };
}

function candidatesOf(passages: readonly FencedPassage[]): CandidateSentence[] {
  const sentences = passages.flatMap(({ number, text }) => {
    const sentencesWithWords = sentencesOf(text).map((sentence) => ({
      number,
      text: sentence.text.replaceAll(/\s+/g, ' '),
      words: contentWords(sentence.text),
    }));
    return sentencesWithWords.map((sentence, index) => ({
      ...sentence,
      context: isTableRow(sentence) ? [] : (sentencesWithWords[index - 1]?.words ?? []),
    }));
  });
  // A question or a heading in a file is not an answer.
  return sentences
    .filter(
      ({ text, words }) =>
        words.length > 0 &&
        text.length <= sentenceCharactersMax &&
        !text.endsWith('?') &&
        !/^#{1,6} /.test(text),
    )
    .map((sentence, order) => ({ ...sentence, order }));
}

// A row of a table contains its column headings and needs no context.
const isTableRow = ({ text }: { text: string }) => text.includes(' | ');

const isTitle = ({ text }: { text: string }) =>
  text.length <= 80 && !/[.!:;|\d]/.test(text) && !/^[-*•–]/.test(text);

/**
 * A word that many sentences contain has a low weight. A word that no sentence contains counts like
 * a word in one sentence: the question may be about another subject.
 */
const rarityWeight = (matches: number, candidates: number): number =>
  Math.log(1 + (candidates + 1) / (Math.max(matches, 1) + 0.5));

/** Overlapping passages contain the same sentence twice. */
function withoutDuplicates<Sentence extends { text: string }>(
  sentences: readonly Sentence[],
): Sentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => !seen.has(text) && seen.add(text));
}
