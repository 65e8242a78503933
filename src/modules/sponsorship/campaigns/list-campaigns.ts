import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { offsetOf, type Page, pagesOf } from '../../../platform/database/page.ts';
import { fragment, rowLimit } from '../../../platform/database/sql.ts';
import { type Campaign, campaignColumns } from './campaign.ts';

const filters = {
  ACTIVE: fragment`and c.is_active`,
  INACTIVE: fragment`and not c.is_active`,
  ALL: fragment``,
};

const orders = {
  NEWEST: fragment`c.created_at desc, c.id desc`,
  NAME: fragment`lower(c.name), c.id`,
  MOST_REDEEMED: fragment`c.completed_redemptions desc, c.id desc`,
  FIRST_TO_EXPIRE: fragment`c.expires_at nulls last, c.id`,
};

export type CampaignStatus = keyof typeof filters;
export type CampaignOrder = keyof typeof orders;

type ListCampaignsInput = {
  organizationId: string;
  page: number;
  pageSize: number;
  status: CampaignStatus;
  order?: CampaignOrder;
  search?: string | null | undefined;
};

/**
 * Lists a page of an organization's campaigns. An organization has a few thousand at most, so the
 * total is counted from the index.
 */
export async function listCampaigns(
  { organizationId, page, pageSize, status, order = 'NEWEST', search }: ListCampaignsInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Page<Campaign>> {
  const pattern = `%${search?.replace(/[\\%_]/g, '\\$&')}%`;
  const searchCondition = search ? fragment`and lower(c.name) like lower(${pattern})` : fragment``;
  const condition = fragment`c.organization_id = ${organizationId} ${filters[status]} ${searchCondition}`;
  const total = fragment`(select count(*)::int from campaigns c where ${condition})`;
  const sql = database[search ? 'searchSql' : 'sql'];
  const rows = await sql<Campaign & { total: number }>`
    select ${total} as total, ${campaignColumns(clock())} from campaigns c
    where ${condition} order by ${orders[order]} limit ${rowLimit(pageSize)} offset ${offsetOf({ page, pageSize })}`;
  const [campaignPage] = pagesOf(rows, [organizationId], { page, pageSize });
  if (campaignPage || page === 1)
    return campaignPage ?? { items: [], total: 0, page, pageSize, totalPages: 0 };
  // A page after the last one has no row that carries the total.
  const [count] = await sql<{ total: number }>`select ${total} as total`;
  return {
    items: [],
    total: count?.total ?? 0,
    page,
    pageSize,
    totalPages: Math.ceil((count?.total ?? 0) / pageSize),
  };
}
