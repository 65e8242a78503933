/**
 * Estimates tokens by character, without the tables of a tokenizer: an ASCII character is a quarter
 * of a token, another alphabetic character half a token, a character from U+2E80 on (Chinese,
 * Japanese, Korean) one token, and an emoji two (one for each of its UTF-16 units).
 */
const quarterTokensOf = (unit: number): number => (unit < 0x80 ? 1 : unit < 0x2e80 ? 2 : 4);

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/**
 * Returns how many UTF-16 units after `from` fit into that many tokens. Never ends inside a
 * surrogate pair.
 */
export function unitsWithin(text: string, from: number, tokens: number): number {
  let remaining = tokens * 4;
  let at = from;
  while (at < text.length) {
    remaining -= quarterTokensOf(text.charCodeAt(at));
    if (remaining < 0) break;
    at++;
  }
  return surrogateSafeOffset(text, at) - from;
}

/** Returns how many UTF-16 units before `end` fit into that many tokens. */
export function unitsWithinBackwards(text: string, end: number, tokens: number): number {
  let remaining = tokens * 4;
  let at = end;
  while (at > 0) {
    remaining -= quarterTokensOf(text.charCodeAt(at - 1));
    if (remaining < 0) break;
    at--;
  }
  return end - surrogateSafeOffset(text, at);
}

/** Returns the offset, or one less if a cut at the offset would split a surrogate pair. */
export function surrogateSafeOffset(text: string, offset: number): number {
  if (offset <= 0 || offset >= text.length) return offset;
  return isHighSurrogate(text.charCodeAt(offset - 1)) && isLowSurrogate(text.charCodeAt(offset))
    ? offset - 1
    : offset;
}

const sentenceEnd = /\n|[.!?…]["'”’)\]]*\s|[。！？]/g;

/**
 * Returns the last offset in [min, max] where a sentence or line begins; without one, the last
 * offset where a word begins; without one, `max`.
 */
export function lastSentenceStart(text: string, min: number, max: number): number {
  const ends = Array.from(
    text.slice(min, max).matchAll(sentenceEnd),
    (match) => min + match.index + match[0].length,
  );
  return ends.at(-1) ?? lastWordStart(text, min, max);
}

function lastWordStart(text: string, min: number, max: number): number {
  const lastSpace = text.slice(min, max).search(/\s\S*$/);
  return lastSpace >= 0 ? min + lastSpace + 1 : max;
}

/**
 * Returns the first offset in [earliest, end) where a sentence or line begins; without one, the
 * first offset where a word begins; without one, `earliest`.
 */
export function firstSentenceStart(text: string, earliest: number, end: number): number {
  const slice = text.slice(earliest - 1, end);
  sentenceEnd.lastIndex = 0;
  const sentence = sentenceEnd.exec(slice);
  if (sentence && earliest - 1 + sentence.index + sentence[0].length < end)
    return earliest - 1 + sentence.index + sentence[0].length;
  const word = slice.search(/\s\S/);
  return word >= 0 ? earliest + word : earliest;
}
