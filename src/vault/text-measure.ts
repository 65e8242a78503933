/**
 * Tokens are estimated by the kind of letter, without a tokenizer's tables: a quarter for an ASCII
 * character, a half for other letters of alphabets, a whole one for what stands from U+2E80 on
 * (Chinese, Japanese, Korean; half of an emoji).
 */
const quartersOf = (unit: number): number => (unit < 0x80 ? 1 : unit < 0x2e80 ? 2 : 4);

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/**
 * How many UTF-16 units from `from` on come to at most that many tokens. Never ends inside a
 * surrogate pair.
 */
export function unitsWithin(text: string, from: number, tokens: number): number {
  let left = tokens * 4;
  let at = from;
  while (at < text.length) {
    left -= quartersOf(text.charCodeAt(at));
    if (left < 0) break;
    at++;
  }
  return wholePairEnd(text, at) - from;
}

/** How many units before `end` come to at most that many tokens. */
export function unitsWithinBackwards(text: string, end: number, tokens: number): number {
  let left = tokens * 4;
  let at = end;
  while (at > 0) {
    left -= quartersOf(text.charCodeAt(at - 1));
    if (left < 0) break;
    at--;
  }
  return end - wholePairEnd(text, at);
}

/** The offset itself, or one less if a cut there would part a surrogate pair. */
export function wholePairEnd(text: string, offset: number): number {
  if (offset <= 0 || offset >= text.length) return offset;
  return isHighSurrogate(text.charCodeAt(offset - 1)) && isLowSurrogate(text.charCodeAt(offset))
    ? offset - 1
    : offset;
}

const sentenceEnd = /\n|[.!?…]["'”’)\]]*\s|[。！？]/g;

/** The last place in [least, most] where a sentence or line begins; else a word; else `most`. */
export function lastSentenceStart(text: string, least: number, most: number): number {
  const ends = Array.from(
    text.slice(least, most).matchAll(sentenceEnd),
    (match) => least + match.index + match[0].length,
  );
  return ends.at(-1) ?? lastWordStart(text, least, most);
}

function lastWordStart(text: string, least: number, most: number): number {
  const blank = text.slice(least, most).search(/\s\S*$/);
  return blank >= 0 ? least + blank + 1 : most;
}

/**
 * The first place in [earliest, end) where a sentence or line begins; else a word; else `earliest`.
 */
export function firstSentenceStart(text: string, earliest: number, end: number): number {
  const stretch = text.slice(earliest - 1, end);
  sentenceEnd.lastIndex = 0;
  const sentence = sentenceEnd.exec(stretch);
  if (sentence && earliest - 1 + sentence.index + sentence[0].length < end)
    return earliest - 1 + sentence.index + sentence[0].length;
  const word = stretch.search(/\s\S/);
  return word >= 0 ? earliest + word : earliest;
}
