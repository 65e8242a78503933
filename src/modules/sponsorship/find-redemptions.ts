import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { BillingStatus } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { listRedemptions } from './list-redemptions.ts';
import { everything, matchingBy } from './match-redemptions.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from './page.ts';
import { readCampaign } from './read-campaigns.ts';
import { type Redemption, redemptionColumns, redemptionPlaces } from './redemption.ts';

type Own = ReturnType<typeof fragment>;

const orders = {
  NEWEST: {
    by: fragment`redeemed_at desc, id desc`,
    rowsBy: fragment`r.redeemed_at desc, r.id desc`,
    behind: (own: Own) =>
      fragment`and (redeemed_at, id) < (select redeemed_at, id from redemptions where ${own})`,
  },
  FIRST_TO_END: {
    by: fragment`sponsored_until, id`,
    rowsBy: fragment`r.sponsored_until, r.id`,
    behind: (own: Own) =>
      fragment`and (sponsored_until, id) > (select sponsored_until, id from redemptions where ${own})`,
  },
};

type RedemptionOrder = keyof typeof orders;

type Filter = {
  campaignId?: string | null | undefined;
  linkId?: string | null | undefined;
  billingStatus?: BillingStatus | null | undefined;
  /** Found in the address of who redeemed, or in the name of the workspace. */
  search?: string | null | undefined;
  endsFrom?: Date | null | undefined;
  endsBefore?: Date | null | undefined;
};

type FindRedemptions = Filter & {
  organizationId: string;
  order: RedemptionOrder;
  /**
   * The redemption behind which the page begins, so that whoever walks through all meets each once,
   * whatever is redeemed meanwhile.
   */
  after?: string | null | undefined;
  page: number;
  pageSize: number;
  /** Where nothing but the fields of `briefRedemption` is asked for. */
  isBrief?: boolean;
};

/** A page of the completed redemptions of an organization's campaigns that are as asked for. */
export async function findRedemptions(
  asked: FindRedemptions,
  parts: { database: Database; clock: Clock },
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
  } = asked;
  if (
    campaignId &&
    !linkId &&
    !search &&
    !endsFrom &&
    !endsBefore &&
    !after &&
    order === 'NEWEST'
  ) {
    const [found] = await listRedemptions(
      { organizationId, campaignIds: [campaignId], page, pageSize, billingStatus, isBrief },
      parts,
    );
    if (!found) throw notFound('Campaign');
    return found;
  }
  if (campaignId) await readCampaign({ organizationId, campaignId }, parts);
  return findAmongAll(asked, parts);
}

async function findAmongAll(
  { organizationId, order, after, page, pageSize, ...filter }: FindRedemptions,
  { database }: { database: Database },
) {
  const matching = filter.search ? await matchingBy(filter.search, database) : everything;
  const wanted = fragment`redemptions r where organization_id = ${organizationId} ${conditionsOf(filter)} ${matching.condition}`;
  const { by, rowsBy, behind } = orders[order];
  const place = after
    ? behind(fragment`id = ${after} and organization_id = ${organizationId}`)
    : fragment``;
  // Each filter is another statement, and a prepared plan would not see how few rows are asked for.
  const rows = await database.searchSql<PageRow<Redemption>>`
    select ${organizationId} as "ownerId", asked.total, ${redemptionColumns}
    from (select ${totalOf(filter, organizationId, fragment`${wanted} ${matching.countedTo}`)} as total) asked
    left join lateral (
      select id from ${wanted} ${place} order by ${by} limit ${pageSize} offset ${offsetOf({ page, pageSize })}) place on true
    left join lateral (select * from redemptions where id = place.id limit 1) r on true
    left join lateral (select name from campaigns where id = r.campaign_id limit 1) c on true
    ${redemptionPlaces}
    order by ${rowsBy}`;
  const [found] = pagesOf(rows, [organizationId], { page, pageSize });
  return found ?? { items: [], total: 0, page, pageSize, totalPages: 0 };
}

function conditionsOf({ campaignId, linkId, billingStatus, endsFrom, endsBefore }: Filter): Own {
  return fragment`
    ${campaignId ? fragment`and campaign_id = ${campaignId}` : fragment``}
    ${linkId ? fragment`and link_id = ${linkId}` : fragment``}
    ${billingStatus ? fragment`and billing_status = ${billingStatus}::billing_status` : fragment``}
    ${endsFrom ? fragment`and sponsored_until >= ${endsFrom}` : fragment``}
    ${endsBefore ? fragment`and sponsored_until < ${endsBefore}` : fragment``}`;
}

/** Where no filter needs the rows themselves, the total is one that is kept. */
function totalOf(
  { campaignId, linkId, billingStatus, search, endsFrom, endsBefore }: Filter,
  organizationId: string,
  wanted: Own,
): Own {
  if (linkId || search || endsFrom || endsBefore)
    return fragment`(select count(*)::int from (select from ${wanted}) counted)`;
  const campaigns = fragment`campaigns where organization_id = ${organizationId} ${campaignId ? fragment`and id = ${campaignId}` : fragment``}`;
  if (!billingStatus)
    return fragment`(select coalesce(sum(completed_redemptions), 0)::int from ${campaigns})`;
  const counter = `campaign.redemptions.${billingStatus}`;
  return fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = ${counter} and owner_id in (select id from ${campaigns}))`;
}
