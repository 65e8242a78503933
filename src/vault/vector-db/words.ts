import { stemEnglish } from '../../platform/language/stem-english.ts';
import { stemGerman } from '../../platform/language/stem-german.ts';
import { type Language, languageOfWords, stopWords } from '../../platform/language/stop-words.ts';
import { type Token, tokensOf } from '../../platform/language/tokens.ts';

/**
 * What the index has of a passage. Stems end with the mark of their language, because equal stems of
 * two languages are different words; names and numbers have no mark.
 */
export type IndexedWords = { text: string; title: string; pieces: string };

const languageMarks: Record<Language, string> = { en: '1', de: '2' };
const stemmers: Record<Language, (word: string) => string> = { en: stemEnglish, de: stemGerman };
const languages: Language[] = ['en', 'de'];
/** Pieces of words begin with this, so that they are no words. */
const pieceMark = '0';
const pieceUnits = 4;
/**
 * Only words of this length have pieces in the index, because compounds are long and most words are
 * not. A word of a query can be a part of one, if it has enough letters to be told by its pieces.
 */
const piecedWordUnitsMin = { index: 8, query: 5 };

/** A thread remembers so many words of each kind, because texts repeat most of their words. */
const rememberedMax = 20_000;

function rememberByWord<T>(compute: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    const existing = known.get(word);
    if (existing !== undefined) return existing;
    const value = compute(word);
    if (known.size >= rememberedMax) known.clear();
    known.set(word, value);
    return value;
  };
}

const hasDigit = /\d/;
const termOfWord = (language: Language) =>
  rememberByWord((word) =>
    hasDigit.test(word) ? word : stemmers[language](word) + languageMarks[language],
  );
const termsOfWords = { en: termOfWord('en'), de: termOfWord('de') };
const termOf = ({ kind, text }: Token, language: Language): string =>
  kind === 'word' ? termsOfWords[language](text) : text;

/** The name of the file that the vault stores with a document. */
export const fileNameIn = ({ fileName }: Record<string, unknown>): string | undefined =>
  typeof fileName === 'string' ? fileName : undefined;

/** What a passage is about besides its text: its file and its headings. */
export const titleOf = (fileName: string | undefined, headings: readonly string[]): string =>
  [fileName?.replace(/\.[^.]{1,8}$/, '') ?? '', ...headings].join('\n');

/** The words of a passage as its index has them. `title`: the name of its file and its headings. */
export function indexedWords(text: string, title: string): IndexedWords {
  const tokens = tokensOf(text);
  const language =
    languageOfWords(
      tokens.map((token) => token.text),
      text,
    ) ?? 'en';
  const termsOf = (items: readonly Token[]) => items.map((token) => termOf(token, language));
  const longWords = new Set<string>();
  for (const { kind, text: word } of tokens)
    if (kind === 'word' && word.length >= piecedWordUnitsMin.index) longWords.add(word);
  const pieces = new Set<string>();
  for (const word of longWords) for (const piece of piecesOfWord(word)) pieces.add(piece);
  return {
    text: termsOf(tokens).join(' '),
    title: [...new Set(termsOf(tokensOf(title)))].join(' '),
    pieces: [...pieces].join(' '),
  };
}

const piecesOfWord = rememberByWord((word): readonly string[] => {
  if (hasDigit.test(word)) return [];
  const folded = word.replaceAll(/([ao])e|(?<![aeq])(u)e/g, '$1$2');
  const pieces: string[] = [];
  for (let at = 0; at + pieceUnits <= folded.length; at += 1)
    pieces.push(pieceMark + folded.slice(at, at + pieceUnits));
  return pieces;
});

const piecesOf = ({ kind, text }: Token): readonly string[] =>
  kind === 'word' && text.length >= piecedWordUnitsMin.query ? piecesOfWord(text) : [];

/** `words`: any of them may be in the text or title. `pieces`: parts of words, of little weight. */
export type QueryWords = { words: string[]; pieces: string[] };

/**
 * The words of a query as the index has them. A word has a stem in each language, because a
 * question is too short to tell its language. Without its stop words, unless it has no others.
 */
export function queryWords(query: string): QueryWords {
  const tokens = tokensOf(query);
  const isStopWord = ({ text }: Token) => stopWords.de.has(text) || stopWords.en.has(text);
  const contentTokens = tokens.filter((token) => !isStopWord(token));
  const used = contentTokens.length > 0 ? contentTokens : tokens;
  return {
    words: [
      ...new Set(used.flatMap((token) => languages.map((language) => termOf(token, language)))),
    ],
    pieces: [...new Set(used.flatMap(piecesOf))],
  };
}
