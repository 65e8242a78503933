import { germanVerbForms } from '../../platform/language/german-verb-forms.ts';
import { stemEnglish } from '../../platform/language/stem-english.ts';
import { stemGerman } from '../../platform/language/stem-german.ts';
import {
  type Language,
  languageOf,
  languageVoteOf,
  stopWords,
} from '../../platform/language/stop-words.ts';
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

/** A thread remembers so many words, because texts repeat most of their words. */
const rememberedMax = 40_000;
/** What is known of a word; its stems and pieces from the time when they were first needed. */
type KnownWord = { text: string; languageVote: number; pieces?: readonly Piece[] } & Partial<
  Record<Language, string>
>;
/** With the last text that it was in: comparing a number takes less time than a set of pieces. */
type Piece = { text: string; seenIn: number };
const knownWords = new Map<string, KnownWord>();
const knownPieces = new Map<string, Piece>();
let textsSeen = 0;

/** Between two texts, so that a piece is one object in each of them. */
function forgetWhenFull(): void {
  if (knownWords.size < rememberedMax) return;
  knownWords.clear();
  knownPieces.clear();
}

function knownWord(text: string): KnownWord {
  const existing = knownWords.get(text);
  if (existing) return existing;
  const word = { text, languageVote: languageVoteOf(text) };
  knownWords.set(text, word);
  return word;
}

const hasDigit = /\d/;

function stemOf(word: KnownWord, language: Language): string {
  word[language] ??= hasDigit.test(word.text)
    ? word.text
    : stemmers[language](word.text) + languageMarks[language];
  return word[language];
}

const termOf = ({ kind, text }: Token, language: Language): string =>
  kind === 'word' ? stemOf(knownWord(text), language) : text;

/** The name of the file that the vault stores with a document. */
export const fileNameIn = ({ fileName }: Record<string, unknown>): string | undefined =>
  typeof fileName === 'string' ? fileName : undefined;

/** What a passage is about besides its text: its file and its headings. */
export const titleOf = (fileName: string | undefined, headings: readonly string[]): string =>
  [fileName?.replace(/\.[^.]{1,8}$/, '') ?? '', ...headings].join('\n');

/** The words of a passage as its index has them. `title`: the name of its file and its headings. */
export function indexedWords(text: string, title: string): IndexedWords {
  forgetWhenFull();
  const words = tokensOf(text).map((token) =>
    token.kind === 'word' ? knownWord(token.text) : token.text,
  );
  const votes = words.map((word) =>
    typeof word === 'string' ? languageVoteOf(word) : word.languageVote,
  );
  const language = languageOf(votes, text) ?? 'en';
  const longWords = words
    .filter((word) => typeof word !== 'string')
    .filter((word) => word.text.length >= piecedWordUnitsMin.index);
  const terms = words.map((word) => (typeof word === 'string' ? word : stemOf(word, language)));
  return {
    text: terms.join(' '),
    title: [...new Set(tokensOf(title).map((token) => termOf(token, language)))].join(' '),
    pieces: piecesOfWords(longWords).join(' '),
  };
}

/** The pieces of words, each once. */
function piecesOfWords(words: readonly KnownWord[]): string[] {
  textsSeen += 1;
  const pieces: string[] = [];
  for (const word of words) {
    word.pieces ??= cutIntoPieces(word.text).map(knownPiece);
    for (const piece of word.pieces) {
      if (piece.seenIn === textsSeen) continue;
      piece.seenIn = textsSeen;
      pieces.push(piece.text);
    }
  }
  return pieces;
}

function knownPiece(text: string): Piece {
  const piece = knownPieces.get(text) ?? { text, seenIn: 0 };
  knownPieces.set(text, piece);
  return piece;
}

function cutIntoPieces(word: string): string[] {
  if (hasDigit.test(word)) return [];
  const folded = word.replaceAll(/([ao])e|(?<![aeq])(u)e/g, '$1$2');
  const pieces: string[] = [];
  for (let at = 0; at + pieceUnits <= folded.length; at += 1)
    pieces.push(pieceMark + folded.slice(at, at + pieceUnits));
  return pieces;
}

/** Longer queries have enough words of their own. */
const verbFormsWordsMax = 24;

/** `words`: any of them may be in the text or title. `pieces`: parts of words, of little weight. */
export type QueryWords = { words: string[]; pieces: string[] };

/**
 * The words of a query as the index has them. A word has a stem in each language, because a
 * question is too short to tell its language. Verbs have their other German forms, which are not in
 * the index of a passage. Without its stop words, unless it has no others.
 */
export function queryWords(query: string): QueryWords {
  forgetWhenFull();
  const tokens = tokensOf(query);
  const isStopWord = ({ text }: Token) => stopWords.de.has(text) || stopWords.en.has(text);
  const contentTokens = tokens.filter((token) => !isStopWord(token));
  const used = contentTokens.length > 0 ? contentTokens : tokens;
  const verbForms =
    used.length > verbFormsWordsMax
      ? []
      : used.filter(({ kind }) => kind === 'word').flatMap(({ text }) => germanVerbForms(text));
  return {
    words: [
      ...new Set([
        ...used.flatMap((token) => languages.map((language) => termOf(token, language))),
        ...verbForms.map((form) => stemGerman(form) + languageMarks.de),
      ]),
    ],
    pieces: piecesOfWords(
      used
        .filter(({ kind, text }) => kind === 'word' && text.length >= piecedWordUnitsMin.query)
        .map(({ text }) => knownWord(text)),
    ),
  };
}
