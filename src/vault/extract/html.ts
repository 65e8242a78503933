import { type FormatCallback, type HtmlToTextOptions, htmlToText } from 'html-to-text';
import type { TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { formulaOf } from './formula.ts';
import { cellsOf, type GridRow, gridOf } from './html-table.ts';
import { columnNameOf, labelledRow } from './labelled-row.ts';

/** The whole page is in memory, with a tree many times its size. */
const unitsMax = 32 * 1024 * 1024;
const depthMax = 1_000;
/** The title of a page is at its beginning. */
const headUnitsMax = 65_536;

// Private use characters mark the type of each line in the converted text. The same characters of
// the page itself are removed first.
const headingMark = '\uE000';
const headRowMark = '\uE001';
const rowMark = '\uE002';
const cellMark = '\uE003';
const reservedMarks = /[\uE000-\uE003]/g;

/**
 * Reads the visible text of an HTML page: its title, headings, paragraphs, lists and table rows.
 * Scripts, styles, comments, hidden elements, navigation and footers are skipped, and nothing is
 * ever fetched. A page that has nothing else is read with its navigation and footers.
 */
export async function* readHtml(
  pieces: AsyncIterable<string>,
  { readsTitle = true } = {},
): AsyncGenerator<TextBlock> {
  let page = '';
  for await (const piece of pieces) {
    page += piece;
    if (page.length > unitsMax) throw new ExtractError('TOO_COMPLEX');
  }
  const content = page.replaceAll(reservedMarks, '');
  const title = readsTitle ? titleOf(content) : '';
  const text = htmlToText(content, optionsFor(aroundContent));
  const blocks = [...blocksOf(text.trim() === '' ? htmlToText(content, optionsFor([])) : text)];
  const isInContent = blocks.some(({ kind, text }) => kind === 'heading' && text === title);
  if (title !== '' && !isInContent) yield { kind: 'heading', text: title, level: 1 };
  yield* blocks;
}

function titleOf(page: string): string {
  const title = /<title[^>]{0,200}>([^<]{0,500})<\/title>/i.exec(page.slice(0, headUnitsMax))?.[1];
  return title === undefined ? '' : htmlToText(title).replaceAll(/\s+/g, ' ').trim();
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
      if (mark === headRowMark && isFirstRow) headers = addHeaders(headers, cells);
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

/** The names of the columns, with those of a further row of headers: "Price, online". */
function addHeaders(headers: string[] | null, cells: readonly string[]): string[] {
  return Array.from({ length: Math.max(headers?.length ?? 0, cells.length) }, (_, index) => {
    const above = headers?.[index] ?? '';
    const name = columnNameOf((cells[index] ?? '').replaceAll(/\s+/g, ' ').trim());
    if (above === '' || name === '' || above === name) return above || name;
    return columnNameOf(`${above}, ${name}`);
  });
}

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addLiteral(`${headingMark}${(element.name ?? 'h1').slice(1)}`);
  walk(element.children ?? [], builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

function tableFormatters(): Record<'table' | 'tableRow', FormatCallback> {
  const repetitions = { count: 0 };
  const grid = new WeakMap<object, GridRow>();
  return {
    table: (element, walk, builder) => {
      for (const [row, cells] of gridOf(element, repetitions)) grid.set(row, cells);
      builder.openBlock({ leadingLineBreaks: 2 });
      walk(element.children ?? [], builder);
      builder.closeBlock({ trailingLineBreaks: 2 });
    },
    tableRow: (element, walk, builder) => {
      const { cells, isHead } = grid.get(element) ?? { cells: cellsOf(element), isHead: false };
      builder.openBlock({ leadingLineBreaks: 1 });
      builder.addLiteral(isHead ? headRowMark : rowMark);
      for (const cell of cells) {
        walk(cell?.children ?? [], builder);
        builder.addLiteral(cellMark);
      }
      builder.closeBlock({ trailingLineBreaks: 1 });
    },
  };
}

const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children ?? [], builder);
  builder.addLiteral(cellMark);
};

/** "term: description", one to a line. */
const definitions: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  const entries = (element.children ?? []).flatMap((child) =>
    child.name === 'div' ? (child.children ?? []) : [child],
  );
  let isAfterTerm = false;
  for (const { name, children } of entries) {
    if (name !== 'dt' && name !== 'dd') continue;
    if (!isAfterTerm) builder.openBlock({ leadingLineBreaks: 1 });
    walk(children ?? [], builder);
    if (name === 'dt') builder.addLiteral(': ');
    else builder.closeBlock({ trailingLineBreaks: 1 });
    isAfterTerm = name === 'dt';
  }
  if (isAfterTerm) builder.closeBlock({ trailingLineBreaks: 1 });
  builder.closeBlock({ trailingLineBreaks: 2 });
};

/** "10^6": without the sign it would be the number 106. Marks of footnotes are kept from their word. */
const raised: FormatCallback = (element, walk, builder) => {
  const [content, ...others] = element.children ?? [];
  if (others.length === 0 && /^\s*[+−–-]?(?:\d{1,3}|[a-z])\s*$/i.test(content?.data ?? ''))
    builder.addLiteral('^');
  walk(element.children ?? [], builder);
};

const formula: FormatCallback = (element, _walk, builder) => {
  builder.addInline(formulaOf(element).replaceAll(/\s+/g, ' '));
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
  'title',
  '[hidden]',
  '[aria-hidden="true"]',
  '[style*="display:none"]',
  '[style*="display: none"]',
  '[style*="visibility:hidden"]',
  '[style*="visibility: hidden"]',
];
const aroundContent = ['nav', 'footer', '[role="navigation"]', '[role="contentinfo"]'];

const optionsFor = (alsoSkipped: readonly string[]): HtmlToTextOptions => ({
  wordwrap: false,
  limits: { maxInputLength: unitsMax, maxDepth: depthMax },
  formatters: {
    headingLine: heading,
    tableCell: cell,
    definitions,
    raised,
    formula,
    ...tableFormatters(),
  },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      format: 'headingLine',
    })),
    ...['details', 'summary', 'figcaption', 'legend', 'option'].map((selector) => ({
      selector,
      format: 'block',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    { selector: 'dl', format: 'definitions' },
    { selector: 'sup', format: 'raised' },
    { selector: 'math', format: 'formula' },
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'table', format: 'table' },
    { selector: 'tr', format: 'tableRow' },
    { selector: 'td', format: 'tableCell' },
    { selector: 'th', format: 'tableCell' },
    ...[...skipped, ...alsoSkipped].map((selector) => ({ selector, format: 'skip' })),
  ],
});
