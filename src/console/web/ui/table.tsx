import { type FocusEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { GraphQueryResult } from '../graph/use-graph.ts';
import { t } from '../texts/text.ts';
import { Button } from './button.tsx';
import { Loaded, Loading } from './status.tsx';
import { useFit } from './use-fit.ts';

export type TableColumn<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  narrow?: 'hide';
};

/** Rows are told apart by their id. Rows without one need `keyOf`. */
type RowKey<Row> = Row extends { id: string }
  ? { keyOf?: (row: Row) => string }
  : { keyOf: (row: Row) => string };

type ColumnProps<Row> = {
  /** What the table contains, for screen readers. */
  caption: string;
  columns: readonly TableColumn<NoInfer<Row>>[];
  selection?: TableSelection<NoInfer<Row>>;
};

/** Rows that can be selected. */
export type TableSelection<Row> = {
  /** The keys of the selected rows. */
  keys: ReadonlySet<string>;
  /** What the row is about, for screen readers. */
  nameOf: (row: Row) => string;
  onSelect: (keys: ReadonlySet<string>, rows: readonly Row[]) => void;
};

/**
 * A table. On a phone, and wherever it does not fit, each row becomes a card, with the column titles
 * beside the values.
 */
export const Table = <Row,>(
  props: ColumnProps<Row> & RowKey<Row> & { rows: readonly Row[] },
): ReactNode => <Rows {...props} keyOf={keyFunction(props)} />;

/**
 * An action can remove its own button, often with the row, and the focus would fall back to the top
 * of the page. It moves to the table instead.
 */
function useFocusOfRemoved(table: RefObject<HTMLTableElement | null>) {
  const focused = useRef<Element>(undefined);
  useEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = undefined;
    if (document.activeElement === document.body) table.current?.focus();
  });
  // The last row was removed, and the table with it.
  useEffect(
    () => () => {
      if (focused.current && document.activeElement === document.body)
        document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
    },
    [],
  );
  return {
    onFocus: ({ target }: FocusEvent) => {
      focused.current = target;
    },
    // React sends no blur event for an element that it removes.
    onBlur: () => {
      focused.current = undefined;
    },
  };
}

function keyFunction<Row>(props: RowKey<Row>): (row: Row) => string {
  const { keyOf = idOf }: { keyOf?: (row: Row) => string } = props;
  return keyOf;
}

const idOf = (row: unknown): string => String(Object(row).id);

function Rows<Row>({
  caption,
  rows,
  keyOf,
  columns,
  selection,
}: ColumnProps<Row> & { rows: readonly Row[]; keyOf: (row: Row) => string }) {
  const table = useRef<HTMLTableElement>(null);
  const fits = useFit(table);
  const trackFocus = useFocusOfRemoved(table);
  const keys = rows.map(keyOf);
  const isAllSelected =
    selection !== undefined && keys.length > 0 && keys.every((key) => selection.keys.has(key));
  const setSelected = (changedKeys: readonly string[], isOn: boolean) => {
    const next = new Set(selection?.keys);
    for (const key of changedKeys) isOn ? next.add(key) : next.delete(key);
    selection?.onSelect(next, rows);
  };
  return (
    <table
      ref={table}
      className={fits ? 'table' : 'table table-cards'}
      tabIndex={-1}
      {...trackFocus}
    >
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {selection && (
            <th scope="col" className="table-select" data-title={t('ui.selectAllRows')}>
              <input
                type="checkbox"
                aria-label={t('ui.selectAllRows')}
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
        {rows.map((row) => {
          const key = keyOf(row);
          return (
            <tr key={key}>
              {selection && (
                <td className="table-select">
                  <input
                    type="checkbox"
                    aria-label={t('ui.selectRow', { row: selection.nameOf(row) })}
                    checked={selection.keys.has(key)}
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

type PagedTableProps<Row> = {
  answer: GraphQueryResult<{ nodes: readonly Row[]; totalCount: number }>;
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  /** Shown when there are no rows. */
  empty: ReactNode;
  lines?: number;
};

/** One page of a list, with the buttons to the other pages. */
export function PagedTable<Row>(props: PagedTableProps<Row> & ColumnProps<Row> & RowKey<Row>) {
  const { answer, page, pageSize, onPage, empty, lines = 6 } = props;
  return (
    <Loaded answer={answer} lines={lines}>
      {({ nodes, totalCount: total }) => {
        if (total === 0) return empty;
        if (nodes.length === 0)
          return (
            <BeyondLastPage key={page} onLastPage={() => onPage(lastPageOf(total, pageSize))} />
          );
        return (
          <>
            <Rows {...props} rows={nodes} keyOf={keyFunction(props)} />
            <Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
          </>
        );
      }}
    </Loaded>
  );
}

/**
 * A page after the last one is empty: its last rows were deleted, or an old link led to it. Then the
 * last page is shown.
 */
function BeyondLastPage({ onLastPage }: { onLastPage: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that is empty
  useEffect(onLastPage, []);
  return <Loading lines={6} />;
}

const lastPageOf = (total: number, pageSize: number) => Math.max(1, Math.ceil(total / pageSize));

type PagerProps = { page: number; pageSize: number; total: number; onPage: (page: number) => void };

function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const last = lastPageOf(total, pageSize);
  if (total <= pageSize && page === 1) return null;
  const from = (page - 1) * pageSize + 1;
  return (
    <nav className="pager row" aria-label={t('ui.pages')}>
      <span aria-live="polite">
        {t('ui.rowsOfTotal', { from, until: Math.min(page * pageSize, total), total })}
      </span>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('ui.previous')}
      </Button>
      <Button disabled={page >= last} onClick={() => onPage(page + 1)}>
        {t('ui.next')}
      </Button>
    </nav>
  );
}
