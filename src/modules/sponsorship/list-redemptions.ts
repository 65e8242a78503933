import type { Database } from '../../platform/database/database.ts';
import type { BillingStatus } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from './page.ts';
import { type Redemption, redemptionColumns, redemptionPlaces } from './redemption.ts';

type ListRedemptions = {
  organizationId: string;
  campaignIds: readonly string[];
  page: number;
  pageSize: number;
  billingStatus?: BillingStatus | null | undefined;
};

/**
 * The same page of each of these campaigns' completed redemptions, newest first; undefined for a campaign of somebody else.
 * One statement for all of them: totals are kept, and tell from which end the page is nearer. What a page skips is skipped
 * in the index, which holds no more than the ids.
 */
export async function listRedemptions(
  { organizationId, campaignIds, page, pageSize, billingStatus }: ListRedemptions,
  { database }: { database: Database },
): Promise<(Page<Redemption> | undefined)[]> {
  const offset = offsetOf({ page, pageSize });
  const counter = `campaign.redemptions.${billingStatus}`;
  const total = billingStatus
    ? fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = ${counter} and owner_id = campaigns.id)`
    : fragment`completed_redemptions`;
  const wanted = billingStatus
    ? fragment`redemptions where campaign_id = c.id and billing_status = ${billingStatus}::billing_status`
    : fragment`redemptions where campaign_id = c.id`;
  const rows = await database.sql<PageRow<Redemption>>`
    select c.id as "ownerId", c.total, ${redemptionColumns}
    from (select id, name, ${total} as total from campaigns where id = any(${campaignIds}) and organization_id = ${organizationId}) c
    left join lateral (
      (select id, redeemed_at from ${wanted} order by redeemed_at desc, id desc
       limit case when ${offset}::bigint <= c.total / 2 then ${pageSize}::int else 0 end offset ${offset}::bigint)
      union all
      (select id, redeemed_at from ${wanted} order by redeemed_at, id
       limit case when ${offset}::bigint > c.total / 2 then greatest(0, least(${pageSize}::int, c.total - ${offset}::bigint)) else 0 end
       offset greatest(0, c.total - ${offset}::bigint - ${pageSize}::int))
    ) place on true
    left join lateral (select * from redemptions where id = place.id limit 1) r on true
    ${redemptionPlaces}
    order by place.redeemed_at desc, place.id desc`;
  return pagesOf(rows, campaignIds, { page, pageSize });
}
