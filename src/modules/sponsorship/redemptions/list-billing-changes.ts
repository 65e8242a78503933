import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from '../../../platform/database/page.ts';

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
  page: number;
  pageSize: number;
};

/**
 * Lists the same page of the billing history of each redemption, newest first; undefined for a
 * redemption of another organization.
 */
export async function listBillingChanges(
  { organizationId, redemptionIds, page, pageSize }: ListBillingChangesInput,
  { database }: { database: Database },
): Promise<(Page<BillingChange> | undefined)[]> {
  const rows = await database.sql<PageRow<BillingChange>>`
    select r.id as "ownerId", r.total, b.id::text, b.at, b.status_before as "statusBefore", b.status, b.amount::float8 as amount,
      b.batch_id as "batchId", b.actor_key_id as "actorKeyId", b.actor_user_id as "actorUserId"
    from (
      select id, (select count(*)::int from billing_changes where redemption_id = redemptions.id) as total
      from redemptions where id = any(${redemptionIds}) and organization_id = ${organizationId}) r
    left join lateral (
      select * from billing_changes where redemption_id = r.id order by id desc limit ${pageSize} offset ${offsetOf({ page, pageSize })}) b on true
    order by b.id desc`;
  return pagesOf(rows, redemptionIds, { page, pageSize });
}
