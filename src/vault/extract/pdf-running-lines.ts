import type { PdfLine } from './pdf-lines.ts';

type PdfPage = { number: number; bottom: number; height: number; lines: readonly PdfLine[] };
type EdgeLine = { line: PdfLine; form: string; numbers: number[]; isTop: boolean };

/** A line is a running head or foot if this many pages near each other have it. */
const pagesMin = 3;
/** How far from a page the others may be: heads of left and right pages are on every second one. */
const distanceMax = 6;
/** The part of a page, at the top and at the bottom, in which heads and feet are. */
const edgeRatio = 0.12;
/** More rows than this above a gap are a table. */
const edgeRowsMax = 3;
/** A head is further from the text than this, in relation to the size of its letters. */
const gapRatio = 1.6;
/** Small differences occur if letters of other sizes are in the line. */
const shiftMax = 4;
/** Forms of heads that were kept once. A document with more has no real heads. */
const formsMax = 1_000;

/**
 * Removes running heads and feet: the same line, or the same with numbers that count up with the
 * pages, at the same place of at least three pages. The first of each stays, because it can contain
 * what the text does not, except for mere page numbers. A line directly above the text stays too: it
 * is the header of a table. Pages come back once the pages after them are known.
 */
export function createRunningLineFilter<Page extends PdfPage>() {
  const pending: Page[] = [];
  const edges = new Map<number, EdgeLine[]>();
  const keptForms = new Set<string>();

  function release(page: Page): Page {
    const running = new Set<PdfLine>();
    for (const edge of edges.get(page.number) ?? []) {
      const others = [...edges].filter(
        ([number, lines]) =>
          number !== page.number &&
          Math.abs(number - page.number) <= distanceMax &&
          lines.some((line) => isSame(edge, line, number - page.number)),
      );
      if (others.length + 1 < pagesMin) continue;
      if (isPageNumber(edge.form) || keptForms.has(edge.form)) running.add(edge.line);
      else if (keptForms.size < formsMax) keptForms.add(edge.form);
    }
    edges.delete(page.number - distanceMax);
    return { ...page, lines: page.lines.filter((line) => !running.has(line)) };
  }

  return {
    /** Adds the next page, and returns those that are complete. */
    add(page: Page): Page[] {
      pending.push(page);
      edges.set(page.number, edgeLinesOf(page));
      return pending.splice(0, Math.max(0, pending.length - distanceMax)).map(release);
    },
    end: (): Page[] => pending.splice(0).map(release),
  };
}

function edgeLinesOf({ bottom, height, lines }: PdfPage): EdgeLine[] {
  const fromTop = lines.toSorted((one, other) => other.y - one.y);
  const topMin = bottom + height * (1 - edgeRatio);
  const bottomMax = bottom + height * edgeRatio;
  return [
    ...outerLines(fromTop, ({ y }) => y >= topMin).map((line) => edgeLine(line, true)),
    ...outerLines(fromTop.toReversed(), ({ y }) => y <= bottomMax).map((line) =>
      edgeLine(line, false),
    ),
  ];
}

/** The lines from the edge of the page to the first gap, if they are few. */
function outerLines(lines: readonly PdfLine[], isAtEdge: (line: PdfLine) => boolean): PdfLine[] {
  const outer: PdfLine[] = [];
  let rows = 1;
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (!isAtEdge(line) || rows > edgeRowsMax || !next) break;
    outer.push(line);
    const gap = Math.abs(next.y - line.y);
    if (gap > gapRatio * Math.max(line.size, next.size)) return outer;
    if (gap > shiftMax) rows += 1;
  }
  return outer.filter(({ text }) => isPageNumber(formOf(text)));
}

const edgeLine = (line: PdfLine, isTop: boolean): EdgeLine => ({
  line,
  form: formOf(line.text),
  numbers: Array.from(line.text.matchAll(/\d{1,9}/g), ([digits]) => Number(digits)),
  isTop,
});

const formOf = (text: string): string =>
  text
    .replaceAll(/\d{1,9}/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** "7", "- 7 -", "7/12", "Page 7 of 12", "Seite 7 von 12" and the like. */
const isPageNumber = (form: string): boolean =>
  form.includes('#') &&
  /^(?:\p{L}{1,6}\.? )?[-–—|([]? ?#(?: ?(?:\/|von|of) ?#)? ?[-–—|)\]]?$/u.test(form);

const isSame = (edge: EdgeLine, other: EdgeLine, pages: number): boolean =>
  edge.isTop === other.isTop &&
  edge.form === other.form &&
  Math.abs(edge.line.y - other.line.y) <= shiftMax &&
  edge.numbers.every((number, index) => {
    const difference = (other.numbers[index] ?? Number.NaN) - number;
    return difference === 0 || difference === pages;
  });
