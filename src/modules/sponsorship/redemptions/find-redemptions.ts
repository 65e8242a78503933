import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from '../../../platform/database/page.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { readCampaign } from '../campaigns/read-campaigns.ts';
import { listRedemptions } from './list-redemptions.ts';
import { matchAll, matchRedemptions } from './match-redemptions.ts';
import { type Redemption, redemptionColumns, redemptionLookups } from './redemption.ts';

const orders = {
  NEWEST: {
    columns: fragment`redeemed_at desc, id desc`,
    rowColumns: fragment`r.redeemed_at desc, r.id desc`,
    isAfter: (cursor: Fragment) =>
      fragment`and (redeemed_at, id) < (select redeemed_at, id from redemptions where ${cursor})`,
  },
  FIRST_TO_END: {
    columns: fragment`sponsored_until, id`,
    rowColumns: fragment`r.sponsored_until, r.id`,
    isAfter: (cursor: Fragment) =>
      fragment`and (sponsored_until, id) > (select sponsored_until, id from redemptions where ${cursor})`,
  },
};

type RedemptionOrder = keyof typeof orders;

type RedemptionFilter = {
  campaignId?: string | null | undefined;
  linkId?: string | null | undefined;
  billingStatus?: BillingStatus | null | undefined;
  /** Text in the e-mail address of the person who redeemed, or in the name of the workspace. */
  search?: string | null | undefined;
  endsFrom?: Date | null | undefined;
  endsBefore?: Date | null | undefined;
};

type FindRedemptionsInput = RedemptionFilter & {
  organizationId: string;
  order: RedemptionOrder;
  /**
   * The id of a redemption; the page begins after it. A client that passes the last id it has seen
   * gets every redemption exactly once, even if others are added in the meantime.
   */
  after?: string | null | undefined;
  page: number;
  pageSize: number;
  /** True if the caller needs only the fields of `briefRedemption`. */
  isBrief?: boolean;
};

/** Lists a page of the completed redemptions of an organization's campaigns that match a filter. */
export async function findRedemptions(
  input: FindRedemptionsInput,
  dependencies: { database: Database; clock: Clock },
): Promise<Page<Redemption>> {
  const {
    organizationId,
    campaignId,
    linkId,
    billingStatus,
    page,
    pageSize,
    search,
    endsFrom,
    endsBefore,
    order,
    after,
    isBrief = false,
  } = input;
  if (
    campaignId &&
    !linkId &&
    !search &&
    !endsFrom &&
    !endsBefore &&
    !after &&
    order === 'NEWEST'
  ) {
    const [campaignPage] = await listRedemptions(
      { organizationId, campaignIds: [campaignId], page, pageSize, billingStatus, isBrief },
      dependencies,
    );
    if (!campaignPage) throw notFound('Campaign');
    return campaignPage;
  }
  if (campaignId) await readCampaign({ organizationId, campaignId }, dependencies);
  return findByFilter(input, dependencies);
}

async function findByFilter(
  { organizationId, order, after, page, pageSize, ...filter }: FindRedemptionsInput,
  { database }: { database: Database },
) {
  const match = filter.search ? await matchRedemptions(filter.search, database) : matchAll;
  const matching = fragment`redemptions r where organization_id = ${organizationId} ${conditionsOf(filter)} ${match.condition}`;
  const { columns, rowColumns, isAfter } = orders[order];
  const afterCursor = after
    ? isAfter(fragment`id = ${after} and organization_id = ${organizationId}`)
    : fragment``;
  // `searchSql` plans the statement on each call: a generic plan of a prepared statement would not
  // know how selective the filter is.
  const rows = await database.searchSql<PageRow<Redemption>>`
    select ${organizationId} as "ownerId", counts.total, ${redemptionColumns}
    from (select ${totalOf(filter, organizationId, fragment`${matching} ${match.countLimit}`)} as total) counts
    left join lateral (
      select id from ${matching} ${afterCursor} order by ${columns} limit ${pageSize} offset ${offsetOf({ page, pageSize })}) page_row on true
    left join lateral (select * from redemptions where id = page_row.id limit 1) r on true
    left join lateral (select name from campaigns where id = r.campaign_id limit 1) c on true
    ${redemptionLookups}
    order by ${rowColumns}`;
  const [redemptionPage] = pagesOf(rows, [organizationId], { page, pageSize });
  return redemptionPage ?? { items: [], total: 0, page, pageSize, totalPages: 0 };
}

function conditionsOf({
  campaignId,
  linkId,
  billingStatus,
  endsFrom,
  endsBefore,
}: RedemptionFilter): Fragment {
  return fragment`
    ${campaignId ? fragment`and campaign_id = ${campaignId}` : fragment``}
    ${linkId ? fragment`and link_id = ${linkId}` : fragment``}
    ${billingStatus ? fragment`and billing_status = ${billingStatus}::billing_status` : fragment``}
    ${endsFrom ? fragment`and sponsored_until >= ${endsFrom}` : fragment``}
    ${endsBefore ? fragment`and sponsored_until < ${endsBefore}` : fragment``}`;
}

/** SQL for the total: a stored one if the filter allows, otherwise a count of the matching rows. */
function totalOf(
  { campaignId, linkId, billingStatus, search, endsFrom, endsBefore }: RedemptionFilter,
  organizationId: string,
  matching: Fragment,
): Fragment {
  if (linkId || search || endsFrom || endsBefore)
    return fragment`(select count(*)::int from (select from ${matching}) matches)`;
  const campaigns = fragment`campaigns where organization_id = ${organizationId} ${campaignId ? fragment`and id = ${campaignId}` : fragment``}`;
  if (!billingStatus)
    return fragment`(select coalesce(sum(completed_redemptions), 0)::int from ${campaigns})`;
  const counter = `campaign.redemptions.${billingStatus}`;
  return fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = ${counter} and owner_id in (select id from ${campaigns}))`;
}
