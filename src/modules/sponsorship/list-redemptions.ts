import type { Database } from '../../platform/database/database.ts';
import type { BillingStatus } from '../../platform/database/generated/client.ts';
import { anyOf, fragment } from '../../platform/database/sql.ts';
import { isFar, once, ownerColumns, type Page, type PageRow, pagesOf, rowsOfPage } from './page.ts';
import {
  briefRedemptionColumns,
  type Redemption,
  redemptionColumns,
  redemptionJoins,
  redemptionPlaces,
} from './redemption.ts';

type ListRedemptions = {
  organizationId: string;
  campaignIds: readonly string[];
  page: number;
  pageSize: number;
  billingStatus?: BillingStatus | null | undefined;
  /** Where nothing but the fields of `briefRedemption` is asked for. */
  isBrief?: boolean;
};

/**
 * The same page of each of these campaigns' completed redemptions, newest first; undefined for a
 * campaign of somebody else. One statement for all of them; every total is kept.
 */
export async function listRedemptions(
  { organizationId, campaignIds, billingStatus, isBrief = false, ...asked }: ListRedemptions,
  { database }: { database: Database },
): Promise<(Page<Redemption> | undefined)[]> {
  const counter = `campaign.redemptions.${billingStatus}`;
  const total = billingStatus
    ? fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = ${counter} and owner_id = campaigns.id)`
    : fragment`completed_redemptions`;
  const of = billingStatus
    ? fragment`campaign_id = c.id and billing_status = ${billingStatus}::billing_status`
    : fragment`campaign_id = c.id`;
  const rows = await database.sql<PageRow<Redemption>>`
    select ${ownerColumns(campaignIds)}, ${isBrief ? briefRedemptionColumns : redemptionColumns}
    from (select id, name, ${total} as total from campaigns where id ${anyOf(campaignIds)} and organization_id = ${organizationId} ${once}) c
    ${rowsOfPage({ table: fragment`redemptions`, of, at: fragment`redeemed_at`, as: fragment`r` }, asked)}
    ${isFar(asked) ? redemptionPlaces : redemptionJoins}
    order by r.redeemed_at desc, r.id desc`;
  return pagesOf(rows, campaignIds, asked);
}
