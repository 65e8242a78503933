import type { Database } from '../../platform/database/database.ts';
import { type Link, linkColumns } from './link.ts';
import { offsetOf, type Page, type PageRow, pagesOf } from './page.ts';

type ListLinks = { organizationId: string; campaignIds: readonly string[]; page: number; pageSize: number };

/**
 * The same page of each of these campaigns' links, newest first; undefined for a campaign of somebody else. One statement for
 * all of them: the total is kept by triggers, and tells from which end the page is nearer. What a page skips is skipped in
 * the index, which holds no more than the ids.
 */
export async function listLinks(
  { organizationId, campaignIds, page, pageSize }: ListLinks,
  { database }: { database: Database },
): Promise<(Page<Link> | undefined)[]> {
  const offset = offsetOf({ page, pageSize });
  const rows = await database.sql<PageRow<Link>>`
    select c.id as "ownerId", c.total, ${linkColumns}
    from (
      select id, (select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'campaign.links' and owner_id = campaigns.id) as total
      from campaigns where id = any(${campaignIds}) and organization_id = ${organizationId}) c
    left join lateral (
      (select id, created_at from links where campaign_id = c.id order by created_at desc, id desc
       limit case when ${offset}::bigint <= c.total / 2 then ${pageSize}::int else 0 end offset ${offset}::bigint)
      union all
      (select id, created_at from links where campaign_id = c.id order by created_at, id
       limit case when ${offset}::bigint > c.total / 2 then greatest(0, least(${pageSize}::int, c.total - ${offset}::bigint)) else 0 end
       offset greatest(0, c.total - ${offset}::bigint - ${pageSize}::int))
    ) place on true
    left join lateral (select * from links where id = place.id limit 1) l on true
    order by place.created_at desc, place.id desc`;
  return pagesOf(rows, campaignIds, { page, pageSize });
}
