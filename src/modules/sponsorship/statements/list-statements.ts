import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPage } from '../../../platform/database/lists/read-pages.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { readStatements, type Statement } from './read-statements.ts';
import { monthOf } from './statement-month.ts';

// The id of a statement is its month.
const orders = { MONTH: [] } as const;

type ListStatementsInput = {
  organizationId: string;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/** Lists the statements of all months from that of the first redemption to the current one. */
export async function listStatements(
  { organizationId, orderBy }: ListStatementsInput,
  request: PageRequest,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Page<Statement>> {
  const now = clock();
  const months = fragment`(
    select to_char(month, 'YYYY-MM') as name
    from generate_series(
      (select date_trunc('month', min(redeemed_at) at time zone 'UTC') from redemptions where organization_id = ${organizationId}),
      ${now}::timestamptz at time zone 'UTC', '1 month') month)`;
  const list: List = {
    name: 'sponsorship-statements',
    table: fragment`${months} m`,
    alias: fragment`m`,
    condition: fragment`true`,
    order: chooseOrder(orders, orderBy, { field: 'MONTH', direction: 'DESC' }),
    id: { column: fragment`m.name`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from ${months} m)`,
    isReadFromStart: true,
  };
  const page = await readPage<{ id: string }>(
    list,
    { columns: fragment`m.name as id` },
    request,
    database,
  );
  const nodes = await readStatements(
    { organizationId, months: page.nodes.map(({ id }) => monthOf(id)), now },
    database,
  );
  return { ...page, nodes };
}
