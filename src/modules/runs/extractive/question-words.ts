import { knownWordOf, weightOfWord } from '../../../platform/language/word-vectors.ts';
import { contentWords, formsByStem, type Language, similarity } from '../words.ts';

// The numbers were chosen on the tuning part of the labelled set (test/bench/answers.ts).
/** A word of the question before counts this much. */
const followedWordWeight = 0.6;
/** Numbers and codes, such as "F45", name the subject of a question exactly. */
const numberWeight = 1.5;
/** What the most frequent words of English lose of their weight: "see" tells less than "helmet". */
const frequentDiscount = 0.4;
/** The cost of an answer is this times the number of different words in the passages. */
const questionWordsMax = 256;
/** A sentence with fewer words of its own, such as "Ring extension 231.", repeats the question. */
const addedWordsMin = 2;

export type QuestionWord = { word: string; weight: number };

/** The words of a question, and those of the question before if it can only be understood with it. */
export function questionWordsOf(
  question: string,
  context: string,
  language: Language,
): QuestionWord[] {
  const own = new Set(contentWords(question));
  const followed = new Set(contentWords(context));
  const forms = formsByStem([question, context]);
  const words = [
    ...[...own].map((word) => ({ word, weight: 1 })),
    ...[...followed]
      .filter((word) => !own.has(word))
      .map((word) => ({ word, weight: followedWordWeight })),
  ].slice(0, questionWordsMax);
  return words.map(({ word, weight }) => ({
    word,
    weight: weight * informationIn(word, forms.get(word) ?? word, language),
  }));
}

function informationIn(word: string, form: string, language: Language): number {
  if (/\d/.test(word)) return numberWeight;
  const known = language === 'en' ? knownWordOf(form) : undefined;
  return known === undefined ? 1 : 1 - frequentDiscount * (1 - weightOfWord(known));
}

/** Whether a sentence says enough besides the words of the question. */
export function addsWords(
  sentenceWords: readonly string[],
  questionWords: readonly QuestionWord[],
): boolean {
  const added = new Set(
    sentenceWords.filter(
      (word) => !questionWords.some((searched) => similarity(searched.word, word) > 0),
    ),
  );
  return added.size >= addedWordsMin;
}
