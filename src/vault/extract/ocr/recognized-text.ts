/** A line of recognized words. Its ends are pixels from its beginning, in the direction of reading. */
type RecognizedLine = { text: string; left: number; right: number };
export type RecognizedPage = {
  /** The lines of each paragraph, in reading order. */
  paragraphs: RecognizedLine[][];
  /** How certain all words are on average, from 0 to 100, also those that were left out. */
  confidence: number;
  /** The number of all words. */
  words: number;
};

type Word = {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  confidence: number;
};

/** Below this a word is more often wrong than right. */
const wordConfidenceMin = 40;
/** The words of a photo's texture are less certain than this on average, those of bad scans more. */
const lineConfidenceMin = 60;
/** Signs alone, such as a comma, are mostly specks or borders. */
const signConfidenceMin = 80;
const wordLevel = '5';

/**
 * Reads Tesseract's table of words, and leaves out what is not text: uncertain words, lines that are
 * uncertain on average, and single signs.
 */
export function recognizedTextOf(table: string): RecognizedPage {
  const paragraphs = new Map<string, Map<string, Word[]>>();
  for (const row of table.split('\n')) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, text = ''] =
      row.split('\t');
    if (level !== wordLevel || text.trim() === '') continue;
    const lines = getOrAdd(paragraphs, `${page} ${block} ${paragraph}`, () => new Map());
    getOrAdd<Word[]>(lines, line ?? '', () => []).push({
      text: text.trim(),
      left: Number(left),
      top: Number(top),
      right: Number(left) + Number(width),
      bottom: Number(top) + Number(height),
      confidence: Number(confidence),
    });
  }
  const read = [...paragraphs.values()].map((lines) =>
    [...lines.values()].map((words) => certainWords(words)).filter((words) => words.length > 0),
  );
  const words = [...paragraphs.values()].flatMap((lines) => [...lines.values()].flat());
  return {
    paragraphs: read.filter((lines) => lines.length > 0).map((lines) => lines.map(lineOf)),
    words: words.length,
    confidence: meanConfidence(words),
  };
}

function certainWords(words: readonly Word[]): Word[] {
  if (meanConfidence(words) < lineConfidenceMin) return [];
  const certain = words.filter(
    ({ text, confidence }) =>
      confidence >= (/[\p{L}\p{N}]/u.test(text) ? wordConfidenceMin : signConfidenceMin),
  );
  // One or two characters in a line of their own are mostly part of a picture.
  const length = certain.reduce((sum, { text }) => sum + text.length, 0);
  return length >= 3 || (certain.length > 0 && meanConfidence(certain) >= signConfidenceMin)
    ? certain
    : [];
}

/** Long words count more, because short ones are often noise. */
function meanConfidence(words: readonly Word[]): number {
  const units = words.reduce((sum, { text }) => sum + text.length, 0);
  const sum = words.reduce((total, { text, confidence }) => total + confidence * text.length, 0);
  return units === 0 ? 0 : sum / units;
}

function lineOf(words: readonly Word[]): RecognizedLine {
  const width =
    Math.max(...words.map(({ right }) => right)) - Math.min(...words.map(({ left }) => left));
  const height =
    Math.max(...words.map(({ bottom }) => bottom)) - Math.min(...words.map(({ top }) => top));
  return {
    text: words.map(({ text }) => text).join(' '),
    left: 0,
    right: Math.max(width, height),
  };
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}
