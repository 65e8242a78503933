import { candidatesOf } from '../../../../src/modules/runs/extractive/candidates.ts';
import { nothingFoundAnswer } from '../../../../src/modules/runs/extractive/nothing-found.ts';
import {
  isTitle,
  passageWeight,
  rarityWeight,
  wordWeights,
} from '../../../../src/modules/runs/extractive/select-answer.ts';
import type { FencedPassage } from '../../../../src/modules/runs/fence.ts';
import { type Sentence, sentencesOf } from '../../../../src/modules/runs/sentences.ts';
import { contentWords, languageOf, similarity } from '../../../../src/modules/runs/words.ts';

// The algorithm of the built-in model in its simplest form: it compares every word with every word.
// The tests compare the optimized version with it.

const bestSimilarity = (word: string, words: readonly string[]) =>
  Math.max(0, ...words.map((candidate) => similarity(word, candidate)));

export function plainAnswer(question: string, passages: readonly FencedPassage[]): string[] {
  const language =
    languageOf(question) ?? languageOf(passages.map(({ text }) => text).join('\n')) ?? 'en';
  const nothingFound = [nothingFoundAnswer(language, passages)];
  const questionWords = [...new Set(contentWords(question))];
  const candidates = candidatesOf(passages);
  const weights = questionWords.map((word) => {
    const matches = candidates.filter(({ words }) => bestSimilarity(word, words) > 0).length;
    return rarityWeight(matches, candidates.length);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return nothingFound;
  const wantsNumber = (
    language === 'de' ? /\b(wie ?viele?|wann)\b/i : /\b(how (many|much)|when)\b/i
  ).test(question);
  const ranked = candidates
    .map((candidate) => {
      const { text, words, context, heading, surroundings, order } = candidate;
      const coverage = questionWords.reduce(
        (sum, word, index) =>
          sum +
          (weights[index] ?? 0) *
            Math.max(
              bestSimilarity(word, words),
              wordWeights.context * bestSimilarity(word, context),
              wordWeights.heading * bestSimilarity(word, heading),
              wordWeights.surroundings * bestSimilarity(word, surroundings),
            ),
        0,
      );
      const score =
        (coverage / total) *
          (isTitle(candidate) ? 0.5 : 1) *
          (wantsNumber && /\d/.test(text) ? 1.25 : 1) *
          passageWeight(candidate) -
        order * 0.0001;
      return { ...candidate, coverage: coverage / total, score };
    })
    .filter(({ coverage }) => coverage >= 0.45)
    .toSorted((first, second) => second.score - first.score);
  const best = ranked[0];
  if (!best) return nothingFound;
  const nearBest = ranked.filter(({ score }) => score >= best.score * 0.75);
  const chosen = nearBest
    .filter(({ text }, index) => nearBest.findIndex((second) => second.text === text) === index)
    .slice(0, 3);
  return chosen.map(({ text, number }, index) => `${index > 0 ? ' ' : ''}${text} [${number}]`);
}

export function plainSupport(
  statement: string,
  passage: { text: string },
): { quote: Sentence; supported: boolean } {
  const questionWords = [...new Set(contentWords(statement))];
  let quote: Sentence = { text: passage.text, start: 0, end: passage.text.length };
  let best = -1;
  for (const sentence of sentencesOf(passage.text)) {
    const overlap = questionWords.reduce(
      (sum, word) => sum + bestSimilarity(word, contentWords(sentence.text)),
      0,
    );
    if (overlap > best) [best, quote] = [overlap, sentence];
  }
  const language = languageOf(statement);
  const comparable =
    questionWords.length > 0 && language !== undefined && language === languageOf(passage.text);
  return { quote, supported: !comparable || best > 0 };
}
