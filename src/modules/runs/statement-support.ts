import { type Sentence, sentencesOf } from './sentences.ts';
import { WordIndex } from './word-index.ts';
import { contentWords, type Language, languageOf } from './words.ts';

export type StatementSupport = { quote: Sentence; supported: boolean };

type PassageAnalysis = { sentences: Sentence[]; words: WordIndex; language: Language | undefined };

// An answer cites the same passage several times.
const analysisCache = new WeakMap<{ text: string }, PassageAnalysis>();

/**
 * Finds the sentence of a passage that shares most words with a statement, and decides whether the
 * passage supports the statement. It does not if both are in the same language and share no word. A
 * statement in another language, or without content words, counts as supported, because it cannot
 * be compared.
 */
export function checkSupport(statement: string, passage: { text: string }): StatementSupport {
  const statementWords = [...new Set(contentWords(statement))];
  const { sentences, words, language } = analyze(passage);
  const overlaps = new Float64Array(sentences.length);
  for (const word of statementWords)
    for (const [sentence, similarity] of words.similarityByGroup(word))
      overlaps[sentence] = (overlaps[sentence] ?? 0) + similarity;
  let quote: Sentence = { text: passage.text, start: 0, end: passage.text.length };
  let bestOverlap = -1;
  for (const [index, sentence] of sentences.entries()) {
    const overlap = overlaps[index] ?? 0;
    if (overlap > bestOverlap) {
      bestOverlap = overlap;
      quote = sentence;
    }
  }
  const statementLanguage = languageOf(statement);
  const comparable =
    statementWords.length > 0 && statementLanguage !== undefined && statementLanguage === language;
  return { quote, supported: !comparable || bestOverlap > 0 };
}

function analyze(passage: { text: string }): PassageAnalysis {
  const cached = analysisCache.get(passage);
  if (cached) return cached;
  const sentences = sentencesOf(passage.text);
  const words = new WordIndex(sentences.map(({ text }) => contentWords(text)));
  const analysis = { sentences, words, language: languageOf(passage.text) };
  analysisCache.set(passage, analysis);
  return analysis;
}
