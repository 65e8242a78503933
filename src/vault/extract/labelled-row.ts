import type { TextBlock } from './block.ts';

/** Column names repeat in every row, so their length is limited. */
const columnNameUnitsMax = 100;

/** Shortens a column name to the part that is repeated in each row. */
export const columnNameOf = (cell: string): string =>
  cell.slice(0, columnNameUnitsMax).toWellFormed();

/**
 * Formats a table row that can be found and understood alone: "Header: value | Header: value".
 * Empty cells are left out. Returns null for an empty row.
 */
export function labelledRow(
  headers: string[] | null,
  cells: string[],
  isFirst: boolean,
): TextBlock | null {
  const labelledCells = cells.flatMap((cell, index) => {
    const value = cell.replaceAll(/\s+/g, ' ').trim();
    const header = headers?.[index] ?? '';
    return value === '' ? [] : [header === '' ? value : `${header}: ${value}`];
  });
  if (labelledCells.length === 0) return null;
  return {
    kind: 'row',
    text: labelledCells.join(' | '),
    ...(isFirst ? {} : { separator: '\n' as const }),
  };
}
