import type { Database } from '../../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPage } from '../../../platform/database/lists/read-pages.ts';
import { fragment } from '../../../platform/database/sql.ts';
import {
  type EntryKind,
  entriesOf,
  entryColumns,
  entryJoins,
  type StatementEntry,
  type StatementScope,
} from './statement-entry.ts';

const orders = {
  AT: [{ column: fragment`e.at`, type: 'time', field: 'at' }],
} as const;

type ListStatementEntriesInput = StatementScope & {
  kind?: EntryKind | null | undefined;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/** Lists what happened to sponsorships in a month; by default oldest first. */
export function listStatementEntries(
  { kind, orderBy, ...scope }: ListStatementEntriesInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<StatementEntry>> {
  const entries = entriesOf(scope);
  const condition = kind ? fragment`e.kind = ${kind}` : fragment`true`;
  const list: List = {
    name: 'sponsorship-statement-entries',
    table: fragment`${entries} e`,
    alias: fragment`e`,
    condition,
    order: chooseOrder(orders, orderBy, { field: 'AT', direction: 'ASC' }),
    id: { column: fragment`e.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from ${entries} e where ${condition})`,
    isReadFromStart: true,
    // Only the parts of the kind are read if the plan knows the kind.
    isPlannedEachTime: true,
  };
  return readPage<StatementEntry>(
    list,
    { columns: entryColumns, joins: entryJoins },
    request,
    database,
  );
}
