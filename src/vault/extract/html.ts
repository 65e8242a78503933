import { type FormatCallback, htmlToText } from 'html-to-text';
import type { TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { columnNameOf, labelledRow } from './labelled-row.ts';

/** The whole page is in memory, with a tree many times its size. */
const unitsMax = 32 * 1024 * 1024;
const depthMax = 1_000;

// Private use characters mark the type of each line in the converted text. The same characters of
// the page itself are removed first.
const headingMark = '\uE000';
const headRowMark = '\uE001';
const rowMark = '\uE002';
const cellMark = '\uE003';
const reservedMarks = /[\uE000-\uE003]/g;

/**
 * Reads the visible text of an HTML page: headings, paragraphs, lists and table rows. Scripts,
 * styles and comments are skipped, and nothing is ever fetched.
 */
export async function* readHtml(pieces: AsyncIterable<string>): AsyncGenerator<TextBlock> {
  let page = '';
  for await (const piece of pieces) {
    page += piece;
    if (page.length > unitsMax) throw new ExtractError('TOO_COMPLEX');
  }
  yield* blocksOf(htmlToText(page.replaceAll(reservedMarks, ''), options));
}

function* blocksOf(text: string): Generator<TextBlock> {
  let paragraph: string[] = [];
  let headers: string[] | null = null;
  let isFirstRow = true;
  const flush = function* (): Generator<TextBlock> {
    if (paragraph.length > 0) yield { kind: 'paragraph', text: paragraph.join('\n') };
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    const content = line.trim();
    const mark = content[0] ?? '';
    if (mark === rowMark || mark === headRowMark) {
      yield* flush();
      const cells = content.slice(1).split(cellMark).slice(0, -1);
      if (mark === headRowMark && isFirstRow)
        headers = cells.map((cell) => columnNameOf(cell.replaceAll(/\s+/g, ' ').trim()));
      else {
        const row = labelledRow(headers, cells, isFirstRow);
        if (row) yield row;
        isFirstRow &&= row === null;
      }
      continue;
    }
    if (content !== '') {
      headers = null;
      isFirstRow = true;
    }
    if (content === '' || mark === headingMark) yield* flush();
    if (mark === headingMark) {
      if (content.length > 2)
        yield { kind: 'heading', text: content.slice(2).trim(), level: Number(content[1]) };
    } else if (content !== '') paragraph.push(line.trimEnd());
  }
  yield* flush();
}

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addLiteral(`${headingMark}${(element.name ?? 'h1').slice(1)}`);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

const row: FormatCallback = (element, walk, builder) => {
  const cells = element.children.filter((child) => child.name === 'td' || child.name === 'th');
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addLiteral(
    cells.length > 0 && cells.every((cell) => cell.name === 'th') ? headRowMark : rowMark,
  );
  walk(cells, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addLiteral(cellMark);
};

const skipped = [
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'img',
  'iframe',
  'object',
  'head',
];
const options = {
  wordwrap: false as const,
  limits: { maxInputLength: unitsMax, maxDepth: depthMax },
  formatters: { headingLine: heading, tableRow: row, tableCell: cell },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      format: 'headingLine',
    })),
    ...skipped.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'a', options: { ignoreHref: true } },
    {
      selector: 'table',
      format: 'block',
      options: { leadingLineBreaks: 2, trailingLineBreaks: 2 },
    },
    { selector: 'tr', format: 'tableRow' },
    { selector: 'td', format: 'tableCell' },
    { selector: 'th', format: 'tableCell' },
  ],
};
