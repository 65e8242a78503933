import { candidatesOf } from '../../../../src/modules/runs/extractive/candidates.ts';
import { nothingFoundAnswer } from '../../../../src/modules/runs/extractive/nothing-found.ts';
import {
  addsWords,
  questionWordsOf,
} from '../../../../src/modules/runs/extractive/question-words.ts';
import {
  certainCoverage,
  coverageMin,
  isTitle,
  numberFactorFor,
  passageWeight,
  rarityWeight,
  relatedDiscount,
  withNeighbours,
  wordWeights,
} from '../../../../src/modules/runs/extractive/select-answer.ts';
import {
  createWordSimilarity,
  type WordSimilarity,
} from '../../../../src/modules/runs/extractive/word-meaning.ts';
import type { FencedPassage } from '../../../../src/modules/runs/fence.ts';
import { type Sentence, sentencesOf } from '../../../../src/modules/runs/sentences.ts';
import { contentWords, languageOf, similarity } from '../../../../src/modules/runs/words.ts';

// The algorithm of the built-in model in its simplest form: it compares every word with every word.
// The tests compare the optimized version with it.

const bestSimilarity = (
  word: string,
  words: readonly string[],
  similarityOf: WordSimilarity = similarity,
) => Math.max(0, ...words.map((candidate) => similarityOf(word, candidate)));

export function plainAnswer(question: string, passages: readonly FencedPassage[]): string[] {
  const language =
    languageOf(question) ?? languageOf(passages.map(({ text }) => text).join('\n')) ?? 'en';
  const nothingFound = [nothingFoundAnswer(language, passages)];
  const asked = questionWordsOf(question, '', language);
  const questionWords = asked.map(({ word }) => word);
  const candidates = candidatesOf(passages);
  const coverageBy = (similarityOf: WordSimilarity) => {
    const best = (word: string, words: readonly string[]) =>
      bestSimilarity(word, words, similarityOf);
    const weights = asked.map(({ word, weight }) => {
      const matches = candidates.filter(({ words }) => best(word, words) > 0).length;
      return weight * rarityWeight(matches, candidates.length);
    });
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return candidates.map(
      ({ words, context, heading, surroundings }) =>
        questionWords.reduce(
          (sum, word, index) =>
            sum +
            (weights[index] ?? 0) *
              Math.max(
                best(word, words),
                wordWeights.context * best(word, context),
                wordWeights.heading * best(word, heading),
                wordWeights.surroundings * best(word, surroundings),
              ),
          0,
        ) / total,
    );
  };
  if (questionWords.length === 0) return nothingFound;
  const equal = coverageBy(similarity);
  const related = coverageBy(createWordSimilarity(questionWords, question, passages));
  const ranked = candidates
    .map((candidate, index) => {
      const { factor, isMissing } = numberFactorFor(question, language)(candidate.text);
      const coverage =
        Math.max(equal[index] ?? 0, (related[index] ?? 0) - relatedDiscount) *
        (isMissing ? factor : 1);
      const score =
        (related[index] ?? 0) * (isTitle(candidate) ? 0.5 : 1) * factor * passageWeight(candidate) -
        candidate.order * 0.0001;
      return { ...candidate, coverage, score };
    })
    .filter(({ coverage }) => coverage >= coverageMin)
    .toSorted((first, second) => second.score - first.score);
  const best = ranked[0];
  if (!best) return nothingFound;
  const nearBest = ranked.filter(({ score }) => score >= best.score * 0.75);
  const chosen = nearBest
    .filter(({ text }, index) => nearBest.findIndex((second) => second.text === text) === index)
    .slice(0, 3);
  const isComplete = best.coverage >= certainCoverage && addsWords(best.words, asked);
  const answer = isComplete ? chosen : withNeighbours(chosen, candidates);
  return answer.map(({ text, number }, index) => `${index > 0 ? ' ' : ''}${text} [${number}]`);
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
