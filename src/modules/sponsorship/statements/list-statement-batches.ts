import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPage } from '../../../platform/database/lists/read-pages.ts';
import { fragment } from '../../../platform/database/sql.ts';
import type { StatementScope } from './statement-entry.ts';

/** The redemptions of a month with the same billing batch and status. */
export type StatementBatch = {
  id: string;
  batchId: string | null;
  billingStatus: BillingStatus;
  redemptions: number;
  amountEur: number;
};

const orders = {
  BATCH_ID: [{ column: fragment`b.batch`, type: 'text' }],
  REDEMPTIONS: [{ column: fragment`b.redemptions`, type: 'integer' }],
} as const;

type ListStatementBatchesInput = StatementScope & {
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/** SQL for the billing batches of a statement. The ids of batches are not empty. */
export const batchesOf = ({ organizationId, month: { start, end } }: StatementScope) => fragment`(
    select coalesce(billing_batch_id, '') as batch, billing_batch_id, billing_status, billing_status || ' ' || coalesce(billing_batch_id, '') as id,
      count(*)::int as redemptions, coalesce(sum(billing_amount), 0) as amount_eur
    from redemptions where organization_id = ${organizationId} and redeemed_at >= ${start} and redeemed_at < ${end}
    group by billing_batch_id, billing_status)`;

export const statementBatchColumns = fragment`
  b.id, b.billing_batch_id as "batchId", b.billing_status as "billingStatus", b.redemptions, b.amount_eur::float8 as "amountEur"`;

/** Lists the billing batches of a statement; by default by id, first what is in no batch. */
export function listStatementBatches(
  { orderBy, ...scope }: ListStatementBatchesInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<StatementBatch>> {
  const batches = batchesOf(scope);
  const list: List = {
    name: 'sponsorship-statement-batches',
    table: fragment`${batches} b`,
    alias: fragment`b`,
    condition: fragment`true`,
    order: chooseOrder(orders, orderBy, { field: 'BATCH_ID', direction: 'ASC' }),
    id: { column: fragment`b.id`, type: 'text' },
    total: fragment`(select count(*)::int from ${batches} b)`,
    isReadFromStart: true,
    isPlannedEachTime: true,
  };
  return readPage<StatementBatch>(list, { columns: statementBatchColumns }, request, database);
}
