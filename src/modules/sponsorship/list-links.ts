import type { Database } from '../../platform/database/database.ts';
import { anyOf, fragment } from '../../platform/database/sql.ts';
import { briefLinkColumns, type Link, linkColumns } from './link.ts';
import { once, ownerColumns, type Page, type PageRow, pagesOf, rowsOfPage } from './page.ts';

/** `isBrief`: where nothing but the fields of `briefLink` is asked for. */
type ListLinks = {
  organizationId: string;
  campaignIds: readonly string[];
  page: number;
  pageSize: number;
  isBrief?: boolean;
};

/**
 * The same page of each of these campaigns' links, newest first; undefined for a campaign of
 * somebody else. One statement for all of them.
 */
export async function listLinks(
  { organizationId, campaignIds, isBrief = false, ...asked }: ListLinks,
  { database }: { database: Database },
): Promise<(Page<Link> | undefined)[]> {
  const rows = await database.sql<PageRow<Link>>`
    select ${ownerColumns(campaignIds)}, ${isBrief ? briefLinkColumns : linkColumns}
    from (
      select id, (select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'campaign.links' and owner_id = campaigns.id) as total
      from campaigns where id ${anyOf(campaignIds)} and organization_id = ${organizationId} ${once}) c
    ${rowsOfPage(linksOfCampaign, asked)}
    order by l.created_at desc, l.id desc`;
  return pagesOf(rows, campaignIds, asked);
}

const linksOfCampaign = {
  table: fragment`links`,
  of: fragment`campaign_id = c.id`,
  at: fragment`created_at`,
  as: fragment`l`,
};
