import type { Block } from './block.ts';

/** The name of a column stands in every row, so it must not be long. */
const columnNameUnitsMax = 100;

/** What is repeated of a column's name in each row. */
export const columnNameOf = (cell: string): string =>
  cell.slice(0, columnNameUnitsMax).toWellFormed();

/**
 * A row of a table that can be found and understood alone: "Head: value | Head: value"; empty cells
 * are left out. Null: an empty row.
 */
export function labelledRow(
  heads: string[] | null,
  cells: string[],
  isFirst: boolean,
): Block | null {
  const said = cells.flatMap((cell, index) => {
    const value = cell.replaceAll(/\s+/g, ' ').trim();
    const head = heads?.[index] ?? '';
    return value === '' ? [] : [head === '' ? value : `${head}: ${value}`];
  });
  if (said.length === 0) return null;
  return { kind: 'row', text: said.join(' | '), ...(isFirst ? {} : { joint: '\n' as const }) };
}
