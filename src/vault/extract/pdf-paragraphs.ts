import type { TextBlock } from './block.ts';
import { joinLines } from './join-lines.ts';
import type { PdfLine } from './pdf-lines.ts';

/** A heading is short and clearly larger than the text around it. */
const headingRatios = [
  { level: 1, ratioMin: 1.7 },
  { level: 2, ratioMin: 1.35 },
  { level: 3, ratioMin: 1.15 },
];
const headingUnitsMax = 200;

/**
 * Combines the lines of a page into paragraphs, because a PDF contains only lines. The size of
 * plain text is learned from all pages so far, so that a page with only a title is not mistaken for
 * plain text in a large size.
 */
export function createParagraphs() {
  const unitsBySize = new Map<number, number>();

  return (lines: readonly PdfLine[]): TextBlock[] => {
    for (const { size, text } of lines)
      unitsBySize.set(size, (unitsBySize.get(size) ?? 0) + text.length);
    const [plainSize = 0] = [...unitsBySize].reduce(
      (largest, entry) => (entry[1] > largest[1] ? entry : largest),
      [0, 0],
    );
    return paragraphsOf(lines).map((paragraph) => {
      const text = joinLines(paragraph);
      const ratio = (paragraph[0]?.size ?? 0) / (plainSize || 1);
      const heading =
        text.length <= headingUnitsMax
          ? headingRatios.find(({ ratioMin }) => ratio >= ratioMin)
          : undefined;
      return heading
        ? { kind: 'heading', level: heading.level, text: text.replaceAll('\n', ' ') }
        : { kind: 'paragraph', text };
    });
  };
}

/**
 * A paragraph ends if the next line is further below than usual on this page, is above (in another
 * column), or has another size.
 */
function paragraphsOf(lines: readonly PdfLine[]) {
  const steps = lines.flatMap(({ y, size }, at) => {
    const step = (lines[at - 1]?.y ?? 0) - y;
    return at > 0 && step > 0 && step < 2.5 * size ? [step] : [];
  });
  const medianStep = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const paragraphs: PdfLine[][] = [];
  let previous: PdfLine | undefined;
  for (const line of lines) {
    const step = (previous?.y ?? 0) - line.y;
    const isSameParagraph =
      previous &&
      previous.size === line.size &&
      step > -line.size / 2 &&
      step <= Math.min(medianStep * 1.25, line.size * 2.2);
    if (isSameParagraph) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
    previous = line;
  }
  return paragraphs;
}
