import PDFDocument from 'pdfkit';
import { createEventLoopYield } from '../event-loop-yield.ts';
import { loadPdfFonts, type PdfFonts } from './pdf-fonts.ts';

export type PdfColumn = { title: string; width: number; align?: 'right' };
export type PdfTable = {
  columns: readonly PdfColumn[];
  rows: readonly (readonly string[])[];
  /** The last row is a sum, in bold. */
  hasSum?: boolean;
};

export type PdfPart =
  | { kind: 'title' | 'heading' | 'text' | 'note'; text: string }
  | ({ kind: 'table' } & PdfTable);

export type PdfContent = {
  title: string;
  /** A language tag, such as "de". */
  language: string;
  /** The date of the file. The same content gives the same bytes. */
  date: Date;
  /** The text at the bottom left of every page. */
  footer: string;
  pageOf: (page: number, pages: number) => string;
  parts: readonly PdfPart[];
  /** Added at the end if a character was replaced because the font does not have it. */
  replacedNote: string;
};

const margin = 48;
const [rowHeight, lineHeight, cellPadding, footerHeight] = [16, 9, 4, 28];
/** A cell with more lines is shortened. */
const linesMax = 3;
const sizes = { title: 18, heading: 12, text: 9, note: 8, cell: 7 };
const [ink, quietInk, line, shade] = ['#1c1f24', '#5a616b', '#c9ced6', '#eef0f3'];
/** Stands for a character that the font does not have. */
const replacement = '□';

/**
 * Makes a PDF of A4 pages with tables, whose heads are repeated on every page, and page numbers. The
 * event loop serves other work after each ten milliseconds.
 */
export async function createPdf(content: PdfContent): Promise<Buffer> {
  const fonts = await loadPdfFonts();
  const document = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    lang: content.language,
    displayTitle: true,
    font: '',
    info: {
      Title: content.title,
      Producer: 'Atrium',
      Creator: 'Atrium',
      CreationDate: content.date,
    },
  });
  document.registerFont('regular', Buffer.from(fonts.regular));
  document.registerFont('bold', Buffer.from(fonts.bold));
  const bytes = collect(document);
  await writePages(document, content, fonts);
  document.end();
  return bytes;
}

type Pdf = InstanceType<typeof PDFDocument>;

function collect(document: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
}

async function writePages(document: Pdf, content: PdfContent, fonts: PdfFonts): Promise<void> {
  const pause = createEventLoopYield();
  const { width: pageWidth, height: pageHeight } = document.page;
  const width = pageWidth - 2 * margin;
  const bottom = pageHeight - margin - footerHeight;
  let hasReplaced = false;
  let y = margin;

  const shown = (text: string): string =>
    Array.from(text, (character) => {
      if (fonts.characters.has(character.codePointAt(0) ?? 0)) return character;
      hasReplaced = true;
      return replacement;
    }).join('');

  const startPage = () => {
    document.addPage();
    y = margin;
  };

  for (const part of content.parts) await writePart(part);
  if (hasReplaced) await writePart({ kind: 'note', text: content.replacedNote });
  const pages = document.bufferedPageRange().count;
  for (let page = 0; page < pages; page += 1) {
    document.switchToPage(page);
    writeFooter(content.pageOf(page + 1, pages));
    await pause();
  }

  async function writePart(part: PdfPart): Promise<void> {
    if (part.kind === 'table') return writeTable(part);
    const isHeading = part.kind === 'title' || part.kind === 'heading';
    document
      .font(isHeading ? 'bold' : 'regular')
      .fontSize(sizes[part.kind])
      .fillColor(part.kind === 'note' ? quietInk : ink);
    const text = shown(part.text);
    const height = document.heightOfString(text, { width });
    if (part.kind === 'heading') y += 14;
    // A heading is not the last line of a page.
    if (y + height + (isHeading ? 3 * rowHeight : 0) > bottom) startPage();
    document.text(text, margin, y, { width });
    y += height + (isHeading ? 6 : 4);
    await pause();
  }

  async function writeTable({ columns, rows, hasSum = false }: PdfTable): Promise<void> {
    const total = columns.reduce((sum, column) => sum + column.width, 0);
    const placed: PlacedColumn[] = [];
    let x = margin;
    for (const column of columns) {
      const columnWidth = (column.width / total) * width;
      placed.push({ ...column, x, width: columnWidth });
      x += columnWidth;
    }
    const titles = columns.map(({ title }) => title);
    const writeHead = () => {
      const cells = linesOf(placed, titles, 'bold');
      document.rect(margin, y, width, heightOf(cells)).fill(shade);
      writeCells(placed, cells, 'bold');
    };
    if (y + 3 * rowHeight > bottom) startPage();
    writeHead();
    for (const [index, row] of rows.entries()) {
      const font = hasSum && index === rows.length - 1 ? 'bold' : 'regular';
      const cells = linesOf(placed, row, font);
      if (y + heightOf(cells) > bottom) {
        startPage();
        writeHead();
      }
      writeCells(placed, cells, font);
      document
        .moveTo(margin, y)
        .lineTo(margin + width, y)
        .lineWidth(0.5)
        .stroke(line);
      await pause();
    }
    y += 6;
  }

  /** The lines of each cell of a row. */
  function linesOf(
    columns: readonly PlacedColumn[],
    row: readonly string[],
    font: string,
  ): Line[][] {
    document.font(font).fontSize(sizes.cell);
    return columns.map((column, index) =>
      wrapped(shown(row[index] ?? ''), column.width - 2 * cellPadding),
    );
  }

  function writeCells(columns: readonly PlacedColumn[], cells: Line[][], font: string): void {
    document.font(font).fontSize(sizes.cell).fillColor(ink);
    for (const [index, column] of columns.entries()) {
      const space = column.width - 2 * cellPadding;
      for (const [number, { text, textWidth }] of (cells[index] ?? []).entries()) {
        const left = column.align === 'right' ? space - textWidth : 0;
        const top = y + 4 + number * lineHeight;
        document.text(text, column.x + cellPadding + left, top, { lineBreak: false });
      }
    }
    y += heightOf(cells);
  }

  /** Breaks a text that is too wide for its column, and shortens it if it has too many lines. */
  function wrapped(text: string, space: number): Line[] {
    const lines: Line[] = [];
    let rest = text;
    while (lines.length < linesMax - 1) {
      const textWidth = document.widthOfString(rest);
      if (textWidth <= space) return [...lines, { text: rest, textWidth }];
      const line = rest.slice(0, breakOf(rest, space)).trimEnd();
      lines.push({ text: line, textWidth: document.widthOfString(line) });
      rest = rest.slice(line.length).trimStart();
    }
    return [...lines, fitted(rest, space)];
  }

  /** Where a line ends: after its last word, or within an address that is too wide itself. */
  function breakOf(text: string, space: number): number {
    const fits = lengthThatFits(text, space, '');
    const part = text.slice(0, fits);
    if (text[fits] === ' ') return fits;
    return [part.lastIndexOf(' '), lastMark(part)].find((index) => index > 0) ?? Math.max(1, fits);
  }

  /** Shortens a text that is too wide for its column. */
  function fitted(text: string, space: number): Line {
    const textWidth = document.widthOfString(text);
    if (textWidth <= space) return { text, textWidth };
    const short = `${text.slice(0, lengthThatFits(text, space, '…')).trimEnd()}…`;
    return { text: short, textWidth: document.widthOfString(short) };
  }

  /** The length of the longest beginning of a text that fits into a column together with `end`. */
  function lengthThatFits(text: string, space: number, end: string): number {
    const characters = Array.from(text);
    let [fits, tooLong] = [0, characters.length];
    while (tooLong - fits > 1) {
      const length = (fits + tooLong) >> 1;
      if (document.widthOfString(characters.slice(0, length).join('') + end) <= space)
        fits = length;
      else tooLong = length;
    }
    return characters.slice(0, fits).join('').length;
  }

  function writeFooter(pageNumber: string): void {
    document.font('regular').fontSize(sizes.note).fillColor(quietInk);
    const footerY = pageHeight - margin - 10;
    const numberWidth = document.widthOfString(pageNumber);
    const { text } = fitted(shown(content.footer), width - numberWidth - 20);
    document.text(text, margin, footerY, { lineBreak: false });
    document.text(pageNumber, margin + width - numberWidth, footerY, { lineBreak: false });
  }
}

type PlacedColumn = PdfColumn & { x: number };
type Line = { text: string; textWidth: number };

const heightOf = (cells: readonly Line[][]): number =>
  rowHeight + (Math.max(1, ...cells.map((lines) => lines.length)) - 1) * lineHeight;

/** The end of the last mark after which an address may be broken, beyond its first characters. */
const lastMark = (text: string): number => {
  const index = Math.max(...['@', '.', '-', '_', '/'].map((mark) => text.lastIndexOf(mark))) + 1;
  return index > text.length / 3 ? index : 0;
};
