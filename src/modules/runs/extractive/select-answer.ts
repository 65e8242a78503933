import type { FencedPassage } from '../fence.ts';
import { sentencesOf } from '../sentences.ts';
import { WordIndex } from '../word-index.ts';
import { contentWords, type Language, languageOf } from '../words.ts';

const sentencesMax = 3;
// The best sentence must say this much of what was asked, the others nearly as much as the best.
const coverageLeast = 0.45;
const shareOfBestLeast = 0.75;
const sentenceCharactersMax = 1_000;
// What a question may ask for. The cost of an answer is the number of these words times the number
// of different words in the passages.
const questionCharactersMax = 20_000;
const wantedWordsMax = 256;

const nothing: Record<Language, string> = {
  de: 'Dazu steht nichts in der Wissensbasis dieses Assistenten.',
  en: 'The knowledge base of this assistant holds nothing on that.',
};

const asksForNumber: Record<Language, RegExp> = {
  de: /\b(wie ?viele?|wie (lange|hoch|oft|alt|weit|gro(ß|ss)|teuer)|wann|um wieviel)\b/i,
  en: /\b(how (many|much|long|high|often|old|far|large|big)|when|what (time|date|year|percentage))\b/i,
};

export type Question = { question: string; passages: readonly FencedPassage[] };

type Candidate = {
  number: number;
  place: number;
  text: string;
  words: readonly string[];
  /** The words of what stands before it: its heading, or the sentence that it goes on from. */
  context: readonly string[];
};

// "In Austria it is 50 euro" speaks of what the sentence before speaks of, but less surely.
const contextShare = 0.6;

/**
 * The sentences that say most of what is asked, in pieces of text, each with the number of its
 * passage; or that there is none.
 */
export function selectAnswer(asked: string, passages: readonly FencedPassage[]): string[] {
  const question = asked.slice(0, questionCharactersMax);
  const language =
    languageOf(question) ??
    languageOf(
      passages
        .map(({ text }) => text)
        .join('\n')
        .slice(0, 2_000),
    ) ??
    'en';
  const wanted = [...new Set(contentWords(question))].slice(0, wantedWordsMax);
  const candidates = candidatesOf(passages);
  const said = saidOf(wanted, candidates);
  if (said.total === 0) return [nothing[language]];
  const numberWanted = asksForNumber[language].test(question);
  const scored = candidates.map((candidate, index) => {
    const coverage = (said.byCandidate[index] ?? 0) / said.total;
    // Among sentences that say the same, a whole one is better than a title, the one with a number
    // answers a question for one, and the one found first is the better.
    const score =
      coverage *
        (isTitle(candidate) ? 0.5 : 1) *
        (numberWanted && /\d/.test(candidate.text) ? 1.25 : 1) -
      candidate.place * 0.0001;
    return { ...candidate, coverage, score };
  });
  const ranked = scored
    .filter(({ coverage }) => coverage >= coverageLeast)
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best) return [nothing[language]];
  const chosen = distinct(
    ranked.filter(({ score }) => score >= best.score * shareOfBestLeast),
  ).slice(0, sentencesMax);
  return chosen.map(({ text, number }, index) => `${index > 0 ? ' ' : ''}${text} [${number}]`);
}

/**
 * How much of the wanted words each candidate says, a rare word counting more, and how much there
 * is to say.
 */
function saidOf(
  wanted: readonly string[],
  candidates: readonly Candidate[],
): { byCandidate: Float64Array; total: number } {
  const ownWords = new WordIndex(candidates.map(({ words }) => words));
  const contextWords = new WordIndex(candidates.map(({ context }) => context));
  const byCandidate = new Float64Array(candidates.length);
  let total = 0;
  for (const word of wanted) {
    const own = ownWords.likenessByGroup(word);
    const weight = rarityOf(own.size, candidates.length);
    total += weight;
    const saying = new Map(own);
    for (const [index, alike] of contextWords.likenessByGroup(word))
      saying.set(index, Math.max(saying.get(index) ?? 0, contextShare * alike));
    for (const [index, share] of saying)
      byCandidate[index] = (byCandidate[index] ?? 0) + weight * share;
  }
  return { byCandidate, total };
}

function candidatesOf(passages: readonly FencedPassage[]): Candidate[] {
  const sentences = passages.flatMap(({ number, text }) => {
    const said = sentencesOf(text).map((sentence) => ({
      number,
      text: sentence.text.replaceAll(/\s+/g, ' '),
      words: contentWords(sentence.text),
    }));
    return said.map((sentence, index) => ({
      ...sentence,
      context: isRow(sentence) ? [] : (said[index - 1]?.words ?? []),
    }));
  });
  // A question in the files is no answer, and neither is a heading.
  return sentences
    .filter(
      ({ text, words }) =>
        words.length > 0 &&
        text.length <= sentenceCharactersMax &&
        !text.endsWith('?') &&
        !/^#{1,6} /.test(text),
    )
    .map((sentence, place) => ({ ...sentence, place }));
}

// A row of a table carries its heads with it and goes on from nothing.
const isRow = ({ text }: { text: string }) => text.includes(' | ');

const isTitle = ({ text }: { text: string }) =>
  text.length <= 80 && !/[.!:;|\d]/.test(text) && !/^[-*•–]/.test(text);

/**
 * What is in every sentence tells little. What is in none counts like what is in one: the question
 * may be about something else.
 */
const rarityOf = (holding: number, candidates: number): number =>
  Math.log(1 + (candidates + 1) / (Math.max(holding, 1) + 0.5));

/** Overlapping passages hold the same sentence twice. */
function distinct<Sentence extends { text: string }>(sentences: readonly Sentence[]): Sentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => !seen.has(text) && seen.add(text));
}
