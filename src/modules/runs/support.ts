import { type Sentence, sentencesOf } from './sentences.ts';
import { contentWords, type Language, languageOf, likeness } from './words.ts';

export type Support = { quote: Sentence; supported: boolean };

type Read = { sentences: { sentence: Sentence; words: string[] }[]; language: Language | undefined };

// A passage is cited again and again within one answer.
const readings = new WeakMap<{ text: string }, Read>();

/**
 * The sentence of a passage that says most of what a statement says, and whether the passage supports it at all. It does not
 * where both are in one language and have no word in common; across languages, and of a statement without words of its own,
 * nothing can be said against it.
 */
export function supportFor(statement: string, passage: { text: string }): Support {
  const wanted = [...new Set(contentWords(statement))];
  const { sentences, language } = readingOf(passage);
  let quote: Sentence = { text: passage.text, start: 0, end: passage.text.length };
  let best = -1;
  for (const { sentence, words } of sentences) {
    const shared = wanted.reduce((sum, word) => sum + Math.max(0, ...words.map((other) => likeness(word, other))), 0);
    if (shared > best) {
      best = shared;
      quote = sentence;
    }
  }
  const spoken = languageOf(statement);
  const comparable = wanted.length > 0 && spoken !== undefined && spoken === language;
  return { quote, supported: !comparable || best > 0 };
}

function readingOf(passage: { text: string }): Read {
  const known = readings.get(passage);
  if (known) return known;
  const sentences = sentencesOf(passage.text).map((sentence) => ({ sentence, words: contentWords(sentence.text) }));
  const reading = { sentences, language: languageOf(passage.text) };
  readings.set(passage, reading);
  return reading;
}
