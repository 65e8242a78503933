import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPages } from '../../../platform/database/lists/read-pages.ts';
import { anyOf, fragment } from '../../../platform/database/sql.ts';

export type BillingChange = {
  id: string;
  at: string;
  statusBefore: BillingStatus;
  status: BillingStatus;
  amount: number | null;
  batchId: string | null;
  actorKeyId: string | null;
  actorUserId: string | null;
};

type ListBillingChangesInput = {
  organizationId: string;
  redemptionIds: readonly string[];
  orderBy?: OrderInput<'AT'> | null | undefined;
};

/**
 * Lists the same page of the billing history of each redemption, newest first; undefined for a
 * redemption of another organization.
 */
export function listBillingChanges(
  { organizationId, redemptionIds, orderBy }: ListBillingChangesInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<(Page<BillingChange> | undefined)[]> {
  const list: List = {
    name: 'billing-changes',
    table: fragment`billing_changes b`,
    alias: fragment`b`,
    condition: fragment`b.redemption_id = owner.id`,
    // The ids are in the order of the changes.
    order: chooseOrder({ AT: [] }, orderBy, { field: 'AT', direction: 'DESC' }),
    id: { column: fragment`b.id`, type: 'integer' },
    total: fragment`(select count(*)::int from billing_changes where redemption_id = redemptions.id)`,
  };
  const columns = fragment`b.id::text, b.at, b.status_before as "statusBefore", b.status, b.amount::float8 as amount,
    b.batch_id as "batchId", b.actor_key_id as "actorKeyId", b.actor_user_id as "actorUserId"`;
  return readPages<BillingChange>(list, { columns }, request, database, {
    ids: redemptionIds,
    select: (total) =>
      fragment`select id, ${total} as total from redemptions where id ${anyOf(redemptionIds)} and organization_id = ${organizationId}`,
  });
}
