import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment, type SqlTemplate } from '../../platform/database/sql.ts';

/** SQL that writes any number of rows. */
export type RowsStatement<Row extends object> = (rows: readonly Row[]) => Fragment;

/**
 * What runs write in one transaction. Many runs that end at the same time share a transaction, and
 * one statement for the rows of all of them costs Postgres a fraction of a statement for each.
 */
export class RunWrites {
  readonly #statements: (() => Fragment)[] = [];
  /** The rows of each statement; the statement is its own key. */
  readonly #rows = new Map<unknown, object[]>();

  /** Adds a statement of its own. It is executed in the order of the calls. */
  readonly enqueue: SqlTemplate<void> = (...template) => {
    const statement = fragment(...template);
    this.#statements.push(() => statement);
  };

  /** Adds a row. The statement is executed once, at the place of its first row. */
  add<Row extends object>(statement: RowsStatement<Row>, row: Row): void {
    const rows = this.#rowsOf(statement, row);
    if (rows) this.#statements.push(() => statement(rows));
  }

  /** Adds a row that all other statements may refer to, those of other runs as well. */
  addFirst<Row extends object>(statement: RowsStatement<Row>, row: Row): void {
    const rows = this.#rowsOf(statement, row);
    if (rows) this.#statements.unshift(() => statement(rows));
  }

  /** Adds a row, and returns the rows if it is the first one of its statement. */
  #rowsOf<Row extends object>(statement: RowsStatement<Row>, row: Row): Row[] | undefined {
    const known = this.#rows.get(statement);
    if (!known) {
      const rows = [row];
      this.#rows.set(statement, rows);
      return rows;
    }
    known.push(row);
    return undefined;
  }

  sendTo(tx: Pick<Transaction, 'enqueue'>): void {
    for (const statement of this.#statements) tx.enqueue`${statement()}`;
  }
}

/**
 * SQL for rows as a table. They are one parameter, so the text of the statement, which is prepared
 * once, does not depend on their number.
 */
export const rowsTable = (rows: readonly object[], columns: Fragment): Fragment =>
  fragment`json_to_recordset(${JSON.stringify(rows)}::json) as item (${columns})`;
