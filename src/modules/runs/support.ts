import { type Sentence, sentencesOf } from './sentences.ts';
import { WordIndex } from './word-index.ts';
import { contentWords, type Language, languageOf } from './words.ts';

export type Support = { quote: Sentence; supported: boolean };

type Read = { sentences: Sentence[]; words: WordIndex; language: Language | undefined };

// A passage is cited again and again within one answer.
const readings = new WeakMap<{ text: string }, Read>();

/**
 * The sentence of a passage that says most of what a statement says, and whether the passage
 * supports it at all. It does not where both are in one language and have no word in common; across
 * languages, and of a statement without words of its own, nothing can be said against it.
 */
export function supportFor(statement: string, passage: { text: string }): Support {
  const wanted = [...new Set(contentWords(statement))];
  const { sentences, words, language } = readingOf(passage);
  const shared = new Float64Array(sentences.length);
  for (const word of wanted)
    for (const [sentence, alike] of words.likenessByGroup(word))
      shared[sentence] = (shared[sentence] ?? 0) + alike;
  let quote: Sentence = { text: passage.text, start: 0, end: passage.text.length };
  let best = -1;
  for (const [index, sentence] of sentences.entries()) {
    const sharedHere = shared[index] ?? 0;
    if (sharedHere > best) {
      best = sharedHere;
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
  const sentences = sentencesOf(passage.text);
  const words = new WordIndex(sentences.map(({ text }) => contentWords(text)));
  const reading = { sentences, words, language: languageOf(passage.text) };
  readings.set(passage, reading);
  return reading;
}
