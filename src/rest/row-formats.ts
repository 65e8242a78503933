import { csvLine } from '../platform/csv.ts';

export type Row = Readonly<Record<string, unknown>>;

export type RowFormat = {
  mediaType: string;
  /** The end of the name under which a browser stores the file. */
  extension: string;
  /** The text before the rows. */
  head(columns: readonly string[]): string;
  /** The text of a row. A column such as `pricing.model` is a field of a nested object. */
  line(row: Row, columns: readonly string[]): string;
  /** The text after the rows, of what belongs to all of them. */
  end?(value: unknown): string;
};

/** The formats in which a list can be sent as rows, by their name in the parameter `format`. */
export const rowFormats = {
  csv: {
    mediaType: 'text/csv',
    extension: 'csv',
    head: (columns) => csvLine(columns),
    line: (row, columns) => csvLine(columns.map((column) => valueAt(row, column))),
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    extension: 'ndjson',
    head: () => '',
    line: (row) => `${JSON.stringify(row)}\n`,
    end: (value) => `${JSON.stringify(value)}\n`,
  },
} as const satisfies Record<string, RowFormat>;

export type RowFormatName = keyof typeof rowFormats;

function valueAt(row: Row, column: string): unknown {
  let value: unknown = row;
  for (const name of column.split('.')) value = Object(value)[name];
  return value;
}
