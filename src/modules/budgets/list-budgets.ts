import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { fragment } from '../../platform/database/sql.ts';
import { type Budget, budgetColumns } from './budget.ts';

type ListBudgetsInput = {
  organizationId: string;
  orderBy?: OrderInput<'CREATED_AT'> | null | undefined;
};

/** Lists the budgets of an organization, newest first. */
export function listBudgets(
  { organizationId, orderBy }: ListBudgetsInput,
  request: PageRequest,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Page<Budget>> {
  const condition = fragment`b.organization_id = ${organizationId}`;
  const list: List = {
    name: 'budgets',
    table: fragment`budgets b`,
    alias: fragment`b`,
    condition,
    order: chooseOrder(
      { CREATED_AT: [{ column: fragment`b.created_at`, type: 'time', field: 'createdAt' }] },
      orderBy,
      { field: 'CREATED_AT', direction: 'DESC' },
    ),
    id: { column: fragment`b.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from budgets b where ${condition})`,
  };
  return readPage<Budget>(list, { columns: budgetColumns(clock()) }, request, database);
}
