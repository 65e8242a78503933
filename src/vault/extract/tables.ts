import type { TextBlock } from './block.ts';

type OpenTable = { row: string[]; cell: string; rows: number };

// White space is normalized once when text is added, and not again for each enclosing table.
function append(table: OpenTable, text: string): void {
  if (text !== '') table.cell += table.cell === '' ? text : ` ${text}`;
}

/**
 * Builds table rows while a document is parsed: each row becomes a block "cell | cell". A table
 * inside a cell becomes text of that cell.
 */
export function createTables() {
  const tables: OpenTable[] = [];

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
    /** Adds the text to the open cell. Returns whether a table is open. */
    take: (text: string) => {
      const table = tables.at(-1);
      if (table) append(table, text.replaceAll(/\s+/g, ' ').trim());
      return table !== undefined;
    },
    closeCell: () => {
      const table = tables.at(-1);
      table?.row.push(table.cell);
    },
    /** Returns the row, unless it is empty or belongs to a table inside a cell. */
    closeRow: (): TextBlock | undefined => {
      const table = tables.at(-1);
      if (!table?.row.some((cell) => cell !== '')) return undefined;
      const text = table.row.join(' | ');
      const outer = tables.at(-2);
      if (outer) {
        append(outer, text);
        return undefined;
      }
      table.rows += 1;
      return { kind: 'row', text, ...(table.rows > 1 && { separator: '\n' }) };
    },
  };
}
