import { parse } from 'csv-parse/sync';

export type CsvForm = { delimiter: string };

const delimiters = [',', ';', '\t', '|'];
const linesMax = 50;

/**
 * How a text separates its cells, if it is a table: at least two lines, each with the same number
 * of cells, two or more.
 */
export function csvFormOf(head: string, isCut: boolean): CsvForm | undefined {
  const lines = head.split('\n', linesMax + 1);
  const isWhole = !isCut && lines.length <= linesMax;
  const text = isWhole ? head : lines.slice(0, linesMax).join('\n');
  const [best] = delimiters
    .map((delimiter) => ({ delimiter, columns: columnsOf(text, delimiter, isWhole) }))
    .filter(({ columns }) => columns > 1)
    .toSorted((one, other) => other.columns - one.columns);
  return best && { delimiter: best.delimiter };
}

/**
 * The number of cells that every row has, or 0. The last row of a stretch may be cut, so it does
 * not count.
 */
function columnsOf(text: string, delimiter: string, isWhole: boolean): number {
  if (!text.includes(delimiter)) return 0;
  const rows = rowsOf(text, delimiter, isWhole);
  const counted = isWhole ? rows : rows.slice(0, -1);
  const columns = counted[0]?.length ?? 0;
  return counted.length >= 2 &&
    counted.every((row) => row.length === columns) &&
    looksLikeCells(counted)
    ? columns
    : 0;
}

function rowsOf(text: string, delimiter: string, isWhole: boolean): string[][] {
  try {
    return parse(isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1), {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch {
    return [];
  }
}

/** Prose has commas too: cells are short, and a first row of names has no empty one. */
const looksLikeCells = (rows: string[][]): boolean =>
  rows.every((row) => row.length > 2 || row.every((cell) => cell.length <= 200)) &&
  rows[0]?.every((cell) => cell.trim() !== '') === true;
