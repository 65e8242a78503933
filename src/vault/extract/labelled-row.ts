import type { Block } from './block.ts';

/** A row of a table that can be found and understood alone: "Head: value | Head: value"; empty cells are left out. Null: an empty row. */
export function labelledRow(heads: string[] | null, cells: string[], isFirst: boolean): Block | null {
  const said = cells.flatMap((cell, index) => {
    const value = cell.replaceAll(/\s+/g, ' ').trim();
    const head = heads?.[index] ?? '';
    return value === '' ? [] : [head === '' ? value : `${head}: ${value}`];
  });
  if (said.length === 0) return null;
  return { kind: 'row', text: said.join(' | '), ...(isFirst ? {} : { joint: '\n' as const }) };
}
