import { columnNameOf } from './labelled-row.ts';

/** A cell that is not empty. */
export type SheetCell = { column: number; text: string; isText: boolean };

/**
 * The header row of a sheet is its first row with at least two cells, if all of them are text. Rows
 * above it (a title of the table) and rows of a sheet without a header row have no headers.
 */
export function createRowFormatter() {
  let headers: Map<number, string> | undefined;
  return (cells: SheetCell[]) => {
    if (!headers && cells.length > 1) {
      headers = new Map(
        cells.every(({ isText }) => isText)
          ? cells.map(({ column, text }) => [column, columnNameOf(text)])
          : [],
      );
      return cells.map(({ text }) => text).join(' | ');
    }
    return cells
      .map(({ column, text }) => {
        const header = headers?.get(column);
        return header === undefined ? text : `${header}: ${text}`;
      })
      .join(' | ');
  };
}
