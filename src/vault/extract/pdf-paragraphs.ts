import type { Block } from './block.ts';

type Item = { str: string; transform: number[]; width: number; height: number; hasEOL: boolean };
type Line = { text: string; left: number; right: number; y: number; size: number };

/** A heading is set clearly larger than the text around it, and is short. */
const headingRatios = [
  { level: 1, atLeast: 1.7 },
  { level: 2, atLeast: 1.35 },
  { level: 3, atLeast: 1.15 },
];
const headingUnitsMax = 200;
/** Larger letters count as this large, so that the sizes that were met stay few. */
const sizeMax = 1_000;

/**
 * Makes paragraphs of the lines of a page, which is all that a PDF knows. The size of plain text is
 * learned over the pages read so far, so that a page that holds only a title is not taken for plain
 * text set large.
 */
export function createParagraphs() {
  const unitsBySize = new Map<number, number>();

  return (items: Item[]): Block[] => {
    const lines = linesOf(items);
    for (const { size, text } of lines)
      unitsBySize.set(size, (unitsBySize.get(size) ?? 0) + text.length);
    const [plainSize = 0] = [...unitsBySize].reduce(
      (most, entry) => (entry[1] > most[1] ? entry : most),
      [0, 0],
    );
    return paragraphsOf(lines).map((paragraph) => {
      const text = textOf(paragraph);
      const ratio = (paragraph[0]?.size ?? 0) / (plainSize || 1);
      const heading =
        text.length <= headingUnitsMax
          ? headingRatios.find(({ atLeast }) => ratio >= atLeast)
          : undefined;
      return heading
        ? { kind: 'heading', level: heading.level, text: text.replaceAll('\n', ' ') }
        : { kind: 'paragraph', text };
    });
  };
}

function linesOf(items: Item[]) {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const { str, transform, width, height, hasEOL } of items) {
    const [, , , , left = 0, y = 0] = transform;
    if (str !== '') {
      line ??= { text: '', left, right: left, y, size: 0 };
      line.text += str;
      line.left = Math.min(line.left, left);
      line.right = Math.max(line.right, left + width);
      line.size = Math.max(line.size, Math.round(Math.min(height, sizeMax) * 2) / 2);
    }
    if (!hasEOL || !line) continue;
    if (line.text.trim() !== '') lines.push(line);
    line = undefined;
  }
  if (line && line.text.trim() !== '') lines.push(line);
  return lines;
}

/**
 * A paragraph ends where the next line stands further down than lines of this page do, higher up
 * (another column), or in another size.
 */
function paragraphsOf(lines: Line[]) {
  const steps = lines.flatMap(({ y, size }, at) => {
    const step = (lines[at - 1]?.y ?? 0) - y;
    return at > 0 && step > 0 && step < 2.5 * size ? [step] : [];
  });
  const usual = steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
  const paragraphs: Line[][] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const step = (before?.y ?? 0) - line.y;
    const goesOn =
      before &&
      before.size === line.size &&
      step > -line.size / 2 &&
      step <= Math.min(usual * 1.25, line.size * 2.2);
    if (goesOn) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
    before = line;
  }
  return paragraphs;
}

/** Scripts that set no space between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。「」（），！？]/u;

/**
 * A full line flows on into the next; a line that stops early (a row of a table, an address) keeps
 * its end.
 */
function textOf(paragraph: Line[]) {
  const widest = paragraph.reduce((most, { left, right }) => Math.max(most, right - left), 0);
  let text = '';
  let before: Line | undefined;
  for (const line of paragraph) {
    const words = line.text.replaceAll(/\s+/g, ' ').trim();
    if (before) text += jointOf(text, words, before.right - before.left >= widest * 0.75);
    text += words;
    before = line;
  }
  return text;
}

function jointOf(before: string, after: string, isFull: boolean) {
  if (!isFull) return '\n';
  return unspaced.test(before.slice(-1)) && unspaced.test(after.slice(0, 1)) ? '' : ' ';
}
