import type { Database } from '../../../platform/database/database.ts';
import {
  evaluateOnce,
  joinPageRows,
  ownerColumns,
  type Page,
  type PageRow,
  pagesOf,
} from '../../../platform/database/page.ts';
import { anyOf, fragment } from '../../../platform/database/sql.ts';
import { briefLinkColumns, type Link, linkColumns } from './link.ts';

type ListLinksInput = {
  organizationId: string;
  campaignIds: readonly string[];
  page: number;
  pageSize: number;
  /** True if the caller needs only the fields of `briefLink`. */
  isBrief?: boolean;
};

/**
 * Lists the same page of the links of each campaign, newest first, with one statement; undefined
 * for a campaign of another organization.
 */
export async function listLinks(
  { organizationId, campaignIds, isBrief = false, ...pageInput }: ListLinksInput,
  { database }: { database: Database },
): Promise<(Page<Link> | undefined)[]> {
  const rows = await database.sql<PageRow<Link>>`
    select ${ownerColumns(campaignIds)}, ${isBrief ? briefLinkColumns : linkColumns}
    from (
      select id, (select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'campaign.links' and owner_id = campaigns.id) as total
      from campaigns where id ${anyOf(campaignIds)} and organization_id = ${organizationId} ${evaluateOnce}) c
    ${joinPageRows(linksOfCampaign, pageInput)}
    order by l.created_at desc, l.id desc`;
  return pagesOf(rows, campaignIds, pageInput);
}

const linksOfCampaign = {
  table: fragment`links`,
  condition: fragment`campaign_id = c.id`,
  orderColumn: fragment`created_at`,
  alias: fragment`l`,
};
