import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { TextBlock } from './block.ts';
import { detectCsvFormat } from './csv-format.ts';
import { columnNameOf, labelledRow } from './labelled-row.ts';
import { linesOf } from './text-lines.ts';

/**
 * A CSV text is parsed in sections that end outside quotes. If a quote is never closed, a section
 * ends at the maximum.
 */
const sectionUnitsMin = 64 * 1024;
const sectionUnitsMax = 1024 * 1024;

/**
 * Reads CSV: every value is preceded by the header of its column. A quote that is never closed
 * counts as an ordinary character.
 */
export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<TextBlock> {
  let delimiter: string | undefined;
  let headers: string[] | null | undefined;
  let isFirst = true;
  for await (const section of sectionsOf(pieces)) {
    delimiter ??=
      detectCsvFormat(section.slice(0, sectionUnitsMin), section.length > sectionUnitsMin)
        ?.delimiter ?? ',';
    for (const cells of rowsOf(section, delimiter)) {
      if (headers === undefined) {
        headers = headersOf(cells);
        if (headers) continue;
      }
      const row = labelledRow(headers, cells, isFirst);
      if (row) yield row;
      isFirst &&= row === null;
    }
  }
  // A table with a header row only yields this row.
  const headerOnly = isFirst && headers ? labelledRow(null, headers, true) : null;
  if (headerOnly) yield headerOnly;
}

async function* sectionsOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let section = '';
  let isInQuotes = false;
  for await (const { text, isContinuation } of linesOf(pieces)) {
    const isEnd =
      (!isInQuotes && !isContinuation && section.length >= sectionUnitsMin) ||
      section.length >= sectionUnitsMax;
    if (isEnd) {
      yield section;
      section = '';
      isInQuotes = false;
    }
    section += isContinuation || section === '' ? text : `\n${text}`;
    for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1))
      isInQuotes = !isInQuotes;
  }
  if (section !== '') yield section;
}

function rowsOf(text: string, delimiter: string): string[][] {
  const options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: 0,
  };
  try {
    return parse(text, options);
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault;
    return parse(text, { ...options, quote: null });
  }
}

/** A header row has different words in all cells; a row with numbers or dates is data. */
function headersOf(cells: string[]): string[] | null {
  const headers = cells.map((cell) => cell.replaceAll(/\s+/g, ' ').trim());
  const areNames =
    headers.length > 1 &&
    headers.every((head) => head !== '' && !/^[-+]?[\d.,:/ %€$£-]+$/.test(head));
  return areNames && new Set(headers).size === headers.length ? headers.map(columnNameOf) : null;
}
