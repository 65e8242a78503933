import { columnNameOf } from './labelled-row.ts';

/** A cell that is not empty. */
export type SheetCell = {
  column: number;
  text: string;
  isText: boolean;
  /** The rows and columns that a merged cell covers; absent for 1. */
  rows?: number;
  columns?: number;
};

const headRowsMax = 5;
const groupSeparator = ', ';

/**
 * The head of a sheet is its first row with at least two cells, if all of them are text. Rows above
 * it (a title of the table) and rows of a sheet without a head have no headers. A cell of the head
 * that is merged over several columns is a group: the names of its columns follow in the next row,
 * and values have both, as in "Price, online: 12".
 */
export function createRowFormatter() {
  let headers: Map<number, string> | undefined;
  const head = createHead();

  return (cells: SheetCell[]): string => {
    if (!headers && (cells.length > 1 || head.isOpen)) {
      if (head.take(cells)) return cells.map(({ text }) => text).join(' | ');
      headers = head.names();
      if (!head.hasRows) return cells.map(({ text }) => text).join(' | ');
    }
    return cells
      .map(({ column, text }) => {
        const header = headers?.get(column);
        return header === undefined ? text : `${header}: ${text}`;
      })
      .join(' | ');
  };
}

/** Collects the rows of a head, which are more than one if cells of it are merged. */
function createHead() {
  const names = new Map<number, string[]>();
  /** Columns that have a name above them which is that of a group. */
  const groups = new Set<number>();
  let rows = 0;
  let rowsNeeded = 0;
  let isGrouped = false;

  function isRowOfHead(cells: readonly SheetCell[]): boolean {
    if (!cells.every(({ isText }) => isText)) return false;
    if (rows === 0) return true;
    if (rows >= Math.min(rowsNeeded, headRowsMax)) return false;
    // A row of values has values also in other columns than those of the groups.
    return cells.every(({ column }) => groups.has(column) || !names.has(column));
  }

  return {
    /** Whether a further row can belong to the head. */
    get isOpen() {
      return rows > 0 && rows < rowsNeeded;
    },
    get hasRows() {
      return rows > 0;
    },
    /** Adds a row. Returns false, and adds nothing, if it does not belong to the head. */
    take(cells: readonly SheetCell[]): boolean {
      if (!isRowOfHead(cells)) return false;
      for (const { column, text, rows: ownRows = 1, columns = 1 } of cells) {
        isGrouped ||= columns > 1;
        rowsNeeded = Math.max(rowsNeeded, rows + ownRows);
        for (let at = column; at < column + columns; at += 1) {
          names.set(at, [...(names.get(at) ?? []), text]);
          if (columns > 1) groups.add(at);
        }
      }
      rows += 1;
      if (rows === 1 && isGrouped) rowsNeeded = Math.max(rowsNeeded, 2);
      return true;
    },
    names: () =>
      new Map(
        [...names].map(([column, parts]) => [
          column,
          columnNameOf([...new Set(parts)].join(groupSeparator)),
        ]),
      ),
  };
}
