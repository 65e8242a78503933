import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Block } from './block.ts';
import { csvFormOf } from './csv-form.ts';
import { columnNameOf, labelledRow } from './labelled-row.ts';
import { linesOf } from './text-lines.ts';

/**
 * Rows are read in stretches that end outside quotes; where a quote is never closed, at the latest
 * here.
 */
const stretchUnits = 64 * 1024;
const stretchUnitsMax = 1024 * 1024;

/**
 * A table in a text: each row says the head of the column before its value. A quote that nobody
 * closes is a character like any other.
 */
export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<Block> {
  let delimiter: string | undefined;
  let heads: string[] | null | undefined;
  let isFirst = true;
  for await (const stretch of stretchesOf(pieces)) {
    delimiter ??=
      csvFormOf(stretch.slice(0, stretchUnits), stretch.length > stretchUnits)?.delimiter ?? ',';
    for (const cells of rowsOf(stretch, delimiter)) {
      if (heads === undefined) {
        heads = headsOf(cells);
        if (heads) continue;
      }
      const row = labelledRow(heads, cells, isFirst);
      if (row) yield row;
      isFirst &&= row === null;
    }
  }
  // A table of heads alone says these.
  const alone = isFirst && heads ? labelledRow(null, heads, true) : null;
  if (alone) yield alone;
}

async function* stretchesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let stretch = '';
  let isInQuotes = false;
  for await (const { text, goesOn } of linesOf(pieces)) {
    const isEnd =
      (!isInQuotes && !goesOn && stretch.length >= stretchUnits) ||
      stretch.length >= stretchUnitsMax;
    if (isEnd) {
      yield stretch;
      stretch = '';
      isInQuotes = false;
    }
    stretch += goesOn || stretch === '' ? text : `\n${text}`;
    for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1))
      isInQuotes = !isInQuotes;
  }
  if (stretch !== '') yield stretch;
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

/** Heads are words, each another one; a row with numbers or dates is a row. */
function headsOf(cells: string[]): string[] | null {
  const heads = cells.map((cell) => cell.replaceAll(/\s+/g, ' ').trim());
  const areNames =
    heads.length > 1 && heads.every((head) => head !== '' && !/^[-+]?[\d.,:/ %€$£-]+$/.test(head));
  return areNames && new Set(heads).size === heads.length ? heads.map(columnNameOf) : null;
}
