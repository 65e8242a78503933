/** A line of text with its left and right end on the page. */
type PositionedLine = { text: string; left: number; right: number };

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。「」（），！？]/u;

/**
 * A full line is joined with the next one, and so is a word that a hyphen divides. Another line that
 * ends early (a table row, an address) keeps its line break.
 */
export function joinLines(paragraph: readonly PositionedLine[]): string {
  const lineWidthMax = paragraph.reduce(
    (largest, { left, right }) => Math.max(largest, right - left),
    0,
  );
  let text = '';
  let previous: PositionedLine | undefined;
  for (const line of paragraph) {
    const words = attachAccents(line.text.replaceAll(/\s+/g, ' ').trim());
    text = previous
      ? joinTwoLines(text, words, previous.right - previous.left >= lineWidthMax * 0.75)
      : words;
    previous = line;
  }
  return text;
}

/** After a hyphen these words continue a list of compounds, as in "Vor- und Nachteile". */
const conjunctions = /^(?:und|oder|bzw|sowie|bis|and|or|to)\b/;
const brokenWord = /(?:^|[\s(„“"'])\p{L}{2,}[-\u2010]$/u;

function joinTwoLines(text: string, line: string, isFull: boolean): string {
  if (/^\p{Ll}/u.test(line) && !conjunctions.test(line) && brokenWord.test(text.slice(-80)))
    return text.slice(0, -1) + line;
  if (!isFull) return `${text}\n${line}`;
  const isUnspaced = unspaced.test(text.slice(-1)) && unspaced.test(line.slice(0, 1));
  return text + (isUnspaced ? '' : ' ') + line;
}

// TeX draws the accent of a letter as a character of its own before the letter.
const accents: Record<string, string> = {
  '¨': '\u0308',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  ˇ: '\u030C',
  '˚': '\u030A',
};
const detachedAccent = /([¨´ˆ˜ˇ˚])\s?([A-Za-zı])/g;

const attachAccents = (text: string): string =>
  text.replaceAll(detachedAccent, (match, accent: string, letter: string) => {
    const composed = `${letter === 'ı' ? 'i' : letter}${accents[accent] ?? ''}`.normalize('NFC');
    return composed.length === 1 ? composed : match;
  });
