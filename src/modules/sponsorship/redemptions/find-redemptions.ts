import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { changesSince } from '../../../platform/database/lists/changes-since.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPage } from '../../../platform/database/lists/read-pages.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { readCampaign } from '../campaigns/read-campaigns.ts';
import { listRedemptions, type RedemptionOrder, redemptionOrder } from './list-redemptions.ts';
import { matchAll, matchRedemptions } from './match-redemptions.ts';
import { type Redemption, redemptionColumns, redemptionLookups } from './redemption.ts';

type RedemptionFilter = {
  campaignId?: string | null | undefined;
  linkId?: string | null | undefined;
  billingStatus?: BillingStatus | null | undefined;
  /** Text in the e-mail address of the person who redeemed, or in the name of the workspace. */
  search?: string | null | undefined;
  updatedSince?: Date | null | undefined;
  endsFrom?: Date | null | undefined;
  endsBefore?: Date | null | undefined;
};

type FindRedemptionsInput = RedemptionFilter & {
  organizationId: string;
  orderBy?: RedemptionOrder | null | undefined;
  /** True if the caller needs only the fields of `briefRedemption`. */
  isBrief?: boolean;
};

/** Lists the completed redemptions of an organization's campaigns that match a filter. */
export async function findRedemptions(
  input: FindRedemptionsInput,
  request: PageRequest,
  dependencies: { database: Database; clock: Clock },
): Promise<Page<Redemption>> {
  const { organizationId, campaignId, isBrief, ...filter } = input;
  const { linkId, search, endsFrom, endsBefore, updatedSince } = filter;
  if (campaignId && !linkId && !search && !endsFrom && !endsBefore && !updatedSince) {
    const [campaignPage] = await listRedemptions(
      { ...filter, organizationId, campaignIds: [campaignId], isBrief: Boolean(isBrief) },
      request,
      dependencies,
    );
    if (!campaignPage) throw notFound('Campaign');
    return campaignPage;
  }
  if (campaignId) await readCampaign({ organizationId, campaignId }, dependencies);
  return findByFilter(input, request, dependencies);
}

async function findByFilter(
  { organizationId, orderBy, ...filter }: FindRedemptionsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<Redemption>> {
  const changes = changesSince({ ...filter, orderBy }, fragment`r.updated_at`);
  const match = filter.search ? await matchRedemptions(filter.search, database) : matchAll;
  const condition = fragment`r.organization_id = ${organizationId} ${conditionsOf(filter)} ${changes.condition} ${match.condition}`;
  const list: List = {
    name: 'redemptions',
    table: fragment`redemptions r`,
    alias: fragment`r`,
    condition,
    order: changes.order ?? redemptionOrder(orderBy),
    id: { column: fragment`r.id`, type: 'text' },
    total: totalOf(
      filter,
      organizationId,
      fragment`redemptions r where ${condition} ${match.countLimit}`,
    ),
    isReadFromStart: true,
    // A generic plan of a prepared statement would not know how selective the filter is.
    isPlannedEachTime: true,
  };
  const joins = fragment`left join lateral (select name from campaigns where id = r.campaign_id limit 1) c on true ${redemptionLookups}`;
  return readPage<Redemption>(list, { columns: redemptionColumns, joins }, request, database);
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
  {
    campaignId,
    linkId,
    billingStatus,
    search,
    endsFrom,
    endsBefore,
    updatedSince,
  }: RedemptionFilter,
  organizationId: string,
  matching: Fragment,
): Fragment {
  if (linkId || search || endsFrom || endsBefore || updatedSince)
    return fragment`(select count(*)::int from (select from ${matching}) matches)`;
  const campaigns = fragment`campaigns where organization_id = ${organizationId} ${campaignId ? fragment`and id = ${campaignId}` : fragment``}`;
  if (!billingStatus)
    return fragment`(select coalesce(sum(completed_redemptions), 0)::int from ${campaigns})`;
  const counter = `campaign.redemptions.${billingStatus}`;
  return fragment`(select coalesce(sum(delta), 0)::int from counter_deltas where counter = ${counter} and owner_id in (select id from ${campaigns}))`;
}
