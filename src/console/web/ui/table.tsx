import type { ReactNode } from 'react';

export type TableColumn<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  narrow?: 'hide';
};

type TableProps<Row> = {
  /** What the table contains, for screen readers. */
  caption: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly TableColumn<Row>[];
  /** The keys of the selected rows, when rows can be selected. */
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
};

/** A table. On a phone each row becomes a card, with the column titles beside the values. */
export function Table<Row>({ caption, rows, keyOf, columns, selected, onSelect }: TableProps<Row>) {
  const keys = rows.map(keyOf);
  const isAllSelected =
    selected !== undefined && keys.length > 0 && keys.every((key) => selected.has(key));
  const setSelected = (changedKeys: readonly string[], isOn: boolean) => {
    const next = new Set(selected);
    for (const key of changedKeys) isOn ? next.add(key) : next.delete(key);
    onSelect?.(next);
  };
  return (
    <table className="table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {selected && (
            <th scope="col">
              <input
                type="checkbox"
                aria-label="Select all rows on this page"
                checked={isAllSelected}
                onChange={({ target }) => setSelected(keys, target.checked)}
              />
            </th>
          )}
          {columns.map(({ title, align, narrow }) => (
            <th key={title} scope="col" className={classOf(align, narrow)}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const key = keyOf(row);
          return (
            <tr key={key}>
              {selected && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Select row ${index + 1}`}
                    checked={selected.has(key)}
                    onChange={({ target }) => setSelected([key], target.checked)}
                  />
                </td>
              )}
              {columns.map(({ title, cell, align, narrow }) => (
                <td key={title} data-title={title} className={classOf(align, narrow)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const classOf = (align?: 'end', narrow?: 'hide') =>
  [align && 'at-end', narrow && 'wide-only'].filter(Boolean).join(' ') || undefined;
