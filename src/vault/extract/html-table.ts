import type { DomNode } from 'html-to-text';

/** A row by its columns. A column is null where a cell of another row or column goes on. */
export type GridRow = { cells: (DomNode | null)[]; isHead: boolean };

const columnsMax = 200;
const repeatedTextUnitsMax = 100;
/** Repeated cells make a text longer than its page; real pages have few of them. */
const repeatedCellsMax = 100_000;

/**
 * Gives each cell of a table its column, so that a cell that spans rows or columns stands in all of
 * them and the cells after it do not shift.
 */
export function gridOf(table: DomNode, repetitions: { count: number }): Map<DomNode, GridRow> {
  const grid = new Map<DomNode, GridRow>();
  /** By column: a cell that goes on below, and the number of rows that it still spans. */
  const open = new Map<number, { element: DomNode; rows: number }>();
  const repeated = (element: DomNode): DomNode | null => {
    repetitions.count += 1;
    return repetitions.count <= repeatedCellsMax && isShort(element) ? element : null;
  };
  for (const { row, isInHead } of rowsOf(table)) {
    const cells: GridRow['cells'] = [];
    const own = cellsOf(row);
    const takeOpen = () => {
      for (let above = open.get(cells.length); above; above = open.get(cells.length)) {
        above.rows -= 1;
        if (above.rows === 0) open.delete(cells.length);
        cells.push(repeated(above.element));
      }
    };
    const isHead = own.length > 0 && (isInHead || own.every(({ name }) => name === 'th'));
    for (const element of own) {
      takeOpen();
      const columns = Math.min(spanOf(element, 'colspan'), columnsMax - cells.length);
      const rows = spanOf(element, 'rowspan');
      for (let column = 0; column < columns; column += 1) {
        if (rows > 1) open.set(cells.length, { element, rows: rows - 1 });
        // The header of several columns is that of each; another cell has its value once.
        cells.push(column === 0 ? element : isHead ? repeated(element) : null);
      }
      if (columns <= 0) cells.push(element);
    }
    takeOpen();
    grid.set(row, { cells, isHead });
  }
  return grid;
}

function rowsOf(table: DomNode): { row: DomNode; isInHead: boolean }[] {
  return (table.children ?? []).flatMap((child) => {
    if (child.name === 'tr') return [{ row: child, isInHead: false }];
    if (!/^t(?:head|body|foot)$/.test(child.name ?? '')) return [];
    return (child.children ?? [])
      .filter(({ name }) => name === 'tr')
      .map((row) => ({ row, isInHead: child.name === 'thead' }));
  });
}

export const cellsOf = ({ children = [] }: DomNode): DomNode[] =>
  children.filter(({ name }) => name === 'td' || name === 'th');

function spanOf({ attribs = {} }: DomNode, name: 'rowspan' | 'colspan'): number {
  const span = Number.parseInt(attribs[name] ?? '1', 10);
  return span >= 1 && span <= 1_000 ? span : 1;
}

/** Whether the element has little text and no elements but those of letters. */
function isShort({ children = [] }: DomNode): boolean {
  let units = 0;
  const pending = [...children];
  for (let steps = 0; pending.length > 0; steps += 1) {
    if (steps > 20) return false;
    const node = pending.pop();
    units += node?.data?.length ?? 0;
    if (units > repeatedTextUnitsMax) return false;
    if (node?.name === 'table') return false;
    pending.push(...(node?.children ?? []).slice(0, 20));
  }
  return true;
}
