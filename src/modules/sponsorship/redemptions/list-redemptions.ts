import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import {
  evaluateOnce,
  hasFarOffset,
  joinPageRows,
  ownerColumns,
  type Page,
  type PageRow,
  pagesOf,
} from '../../../platform/database/page.ts';
import { anyOf, fragment } from '../../../platform/database/sql.ts';
import {
  briefRedemptionColumns,
  type Redemption,
  redemptionColumns,
  redemptionJoins,
  redemptionLookups,
} from './redemption.ts';

type ListRedemptionsInput = {
  organizationId: string;
  campaignIds: readonly string[];
  page: number;
  pageSize: number;
  billingStatus?: BillingStatus | null | undefined;
  /** True if the caller needs only the fields of `briefRedemption`. */
  isBrief?: boolean;
};

/**
 * Lists the same page of the completed redemptions of each campaign, newest first, with one
 * statement and stored totals; undefined for a campaign of another organization.
 */
export async function listRedemptions(
  {
    organizationId,
    campaignIds,
    billingStatus,
    isBrief = false,
    ...pageInput
  }: ListRedemptionsInput,
  { database }: { database: Database },
): Promise<(Page<Redemption> | undefined)[]> {
  const counter = `campaign.redemptions.${billingStatus}`;
  const total = billingStatus
    ? fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = ${counter} and owner_id = campaigns.id)`
    : fragment`completed_redemptions`;
  const condition = billingStatus
    ? fragment`campaign_id = c.id and billing_status = ${billingStatus}::billing_status`
    : fragment`campaign_id = c.id`;
  const rows = await database.sql<PageRow<Redemption>>`
    select ${ownerColumns(campaignIds)}, ${isBrief ? briefRedemptionColumns : redemptionColumns}
    from (select id, name, ${total} as total from campaigns where id ${anyOf(campaignIds)} and organization_id = ${organizationId} ${evaluateOnce}) c
    ${joinPageRows({ table: fragment`redemptions`, condition, orderColumn: fragment`redeemed_at`, alias: fragment`r` }, pageInput)}
    ${hasFarOffset(pageInput) ? redemptionLookups : redemptionJoins}
    order by r.redeemed_at desc, r.id desc`;
  return pagesOf(rows, campaignIds, pageInput);
}
