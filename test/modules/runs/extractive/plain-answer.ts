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
  const nothingFoundAnswer =
    language === 'de'
      ? 'Dazu steht nichts in der Wissensbasis dieses Assistenten.'
      : 'The knowledge base of this assistant holds nothing on that.';
  const questionWords = [...new Set(contentWords(question))];
  const candidates = passages
    .flatMap(({ number, text }) => {
      const coverage = sentencesOf(text).map((sentence) => ({
        number,
        text: sentence.text.replaceAll(/\s+/g, ' '),
        words: contentWords(sentence.text),
      }));
      return coverage.map((sentence, index) => ({
        ...sentence,
        context: sentence.text.includes(' | ') ? [] : (coverage[index - 1]?.words ?? []),
      }));
    })
    .filter(
      ({ text, words }) =>
        words.length > 0 && text.length <= 1_000 && !text.endsWith('?') && !/^#{1,6} /.test(text),
    );
  const weights = questionWords.map((word) => {
    const matches = candidates.filter(({ words }) => bestSimilarity(word, words) > 0).length;
    return Math.log(1 + (candidates.length + 1) / (Math.max(matches, 1) + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [nothingFoundAnswer];
  const wantsNumber = (
    language === 'de' ? /\b(wie ?viele?|wann)\b/i : /\b(how (many|much)|when)\b/i
  ).test(question);
  const ranked = candidates
    .map((candidate, order) => {
      const { text, words, context } = candidate;
      const coverage = questionWords.reduce(
        (sum, word, index) =>
          sum +
          (weights[index] ?? 0) *
            Math.max(bestSimilarity(word, words), 0.6 * bestSimilarity(word, context)),
        0,
      );
      const isTitle = text.length <= 80 && !/[.!:;|\d]/.test(text) && !/^[-*•–]/.test(text);
      const score =
        (coverage / total) * (isTitle ? 0.5 : 1) * (wantsNumber && /\d/.test(text) ? 1.25 : 1) -
        order * 0.0001;
      return { ...candidate, coverage: coverage / total, score };
    })
    .filter(({ coverage }) => coverage >= 0.45)
    .toSorted((first, second) => second.score - first.score);
  const best = ranked[0];
  if (!best) return [nothingFoundAnswer];
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
