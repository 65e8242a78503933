import type { Block } from './block.ts';

type Table = { row: string[]; cell: string; rows: number };

// White space is put right when text comes in, once, and not again in each table around it.
function append(table: Table, text: string): void {
  if (text !== '') table.cell += table.cell === '' ? text : ` ${text}`;
}

/**
 * Tables as their parts come in: each row becomes a block "cell | cell"; a table in a cell becomes
 * text of that cell.
 */
export function createTables() {
  const tables: Table[] = [];

  return {
    open: () => {
      tables.push({ row: [], cell: '', rows: 0 });
    },
    close: () => {
      tables.pop();
    },
    openRow: () => {
      const table = tables.at(-1);
      if (table) table.row = [];
    },
    openCell: () => {
      const table = tables.at(-1);
      if (table) table.cell = '';
    },
    /** Takes the text if a table is open, and says whether it did. */
    take: (text: string) => {
      const table = tables.at(-1);
      if (table) append(table, text.replaceAll(/\s+/g, ' ').trim());
      return table !== undefined;
    },
    closeCell: () => {
      const table = tables.at(-1);
      table?.row.push(table.cell);
    },
    /** The row, unless it is empty or belongs to a table in a cell. */
    closeRow: (): Block | undefined => {
      const table = tables.at(-1);
      if (!table?.row.some((cell) => cell !== '')) return undefined;
      const text = table.row.join(' | ');
      const outer = tables.at(-2);
      if (outer) {
        append(outer, text);
        return undefined;
      }
      table.rows += 1;
      return { kind: 'row', text, ...(table.rows > 1 && { joint: '\n' }) };
    },
  };
}
