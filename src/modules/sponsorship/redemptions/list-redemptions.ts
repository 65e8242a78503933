import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import {
  chooseOrder,
  type ListOrder,
  type OrderInput,
} from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { hasFarOffset, type List, readPages } from '../../../platform/database/lists/read-pages.ts';
import { anyOf, fragment } from '../../../platform/database/sql.ts';
import {
  briefRedemptionColumns,
  type Redemption,
  redemptionColumns,
  redemptionJoins,
  redemptionLookups,
} from './redemption.ts';

const orders = {
  REDEEMED_AT: [{ column: fragment`r.redeemed_at`, type: 'time', field: 'redeemedAt' }],
  SPONSORED_UNTIL: [{ column: fragment`r.sponsored_until`, type: 'time' }],
} as const;

export type RedemptionOrder = OrderInput<keyof typeof orders>;

/** The order of a list of redemptions; by default newest first. */
export const redemptionOrder = (orderBy: RedemptionOrder | null | undefined): ListOrder =>
  chooseOrder(orders, orderBy, { field: 'REDEEMED_AT', direction: 'DESC' });

type ListRedemptionsInput = {
  organizationId: string;
  campaignIds: readonly string[];
  billingStatus?: BillingStatus | null | undefined;
  orderBy?: RedemptionOrder | null | undefined;
  /** True if the caller needs only the fields of `briefRedemption`. */
  isBrief?: boolean;
};

/**
 * Lists the same page of the completed redemptions of each campaign, newest first, with one
 * statement and stored totals; undefined for a campaign of another organization.
 */
export function listRedemptions(
  { organizationId, campaignIds, billingStatus, orderBy, isBrief = false }: ListRedemptionsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<(Page<Redemption> | undefined)[]> {
  const counter = `campaign.redemptions.${billingStatus}`;
  const list: List = {
    name: 'redemptions',
    table: fragment`redemptions r`,
    alias: fragment`r`,
    condition: billingStatus
      ? fragment`r.campaign_id = owner.id and r.billing_status = ${billingStatus}::billing_status`
      : fragment`r.campaign_id = owner.id`,
    order: redemptionOrder(orderBy),
    id: { column: fragment`r.id`, type: 'text', field: 'id' },
    total: billingStatus
      ? fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = ${counter} and owner_id = campaigns.id)`
      : fragment`completed_redemptions`,
  };
  const joins = hasFarOffset(request) || request.isByCursor ? redemptionLookups : redemptionJoins;
  const row = isBrief
    ? { columns: briefRedemptionColumns, joins }
    : {
        columns: redemptionColumns,
        joins: fragment`left join lateral (select owner.name) c on true ${joins}`,
      };
  return readPages<Redemption>(list, row, request, database, {
    ids: campaignIds,
    select: (total) =>
      fragment`select id, name, ${total} as total from campaigns where id ${anyOf(campaignIds)} and organization_id = ${organizationId}`,
  });
}
