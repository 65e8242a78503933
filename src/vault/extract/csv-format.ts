import { parse } from 'csv-parse/sync';

export type CsvFormat = { delimiter: string };

const delimiters = [',', ';', '\t', '|'];
const linesMax = 50;

/**
 * Detects the delimiter of a CSV text. A text counts as CSV if it has at least two lines with the
 * same number of cells, two or more.
 */
export function detectCsvFormat(head: string, isCut: boolean): CsvFormat | undefined {
  const lines = head.split('\n', linesMax + 1);
  const isComplete = !isCut && lines.length <= linesMax;
  const text = isComplete ? head : lines.slice(0, linesMax).join('\n');
  const [widest] = delimiters
    .map((delimiter) => ({ delimiter, columns: columnsOf(text, delimiter, isComplete) }))
    .filter(({ columns }) => columns > 1)
    .toSorted((a, b) => b.columns - a.columns);
  return widest && { delimiter: widest.delimiter };
}

/**
 * Returns the number of cells that every row has, or 0. The last row of an incomplete text may be
 * cut, so it is ignored.
 */
function columnsOf(text: string, delimiter: string, isComplete: boolean): number {
  if (!text.includes(delimiter)) return 0;
  const rows = rowsOf(text, delimiter, isComplete);
  const completeRows = isComplete ? rows : rows.slice(0, -1);
  const columns = completeRows[0]?.length ?? 0;
  return completeRows.length >= 2 &&
    completeRows.every((row) => row.length === columns) &&
    looksLikeCells(completeRows)
    ? columns
    : 0;
}

function rowsOf(text: string, delimiter: string, isComplete: boolean): string[][] {
  try {
    return parse(isComplete ? text : text.slice(0, text.lastIndexOf('\n') + 1), {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch {
    return [];
  }
}

/**
 * Distinguishes tables from prose with commas: cells are short, and no cell of the first row is
 * empty.
 */
const looksLikeCells = (rows: string[][]): boolean =>
  rows.every((row) => row.length > 2 || row.every((cell) => cell.length <= 200)) &&
  rows[0]?.every((cell) => cell.trim() !== '') === true;
