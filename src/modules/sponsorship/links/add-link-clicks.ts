import type { Database } from '../../../platform/database/database.ts';

/** How often a link was opened on a day (UTC), such as "2026-05-31". */
export type LinkDayClicks = { token: string; day: string; clicks: number };

/**
 * Adds clicks to those of their days, by one statement. All processes add to the same rows, in one
 * order, so that they do not wait for each other in a circle. Links that were deleted are left out.
 */
export async function addLinkClicks(
  clicks: readonly LinkDayClicks[],
  { database }: { database: Pick<Database, 'unscoped'> },
): Promise<void> {
  // Visitors of a link belong to no organization.
  await database.unscoped.sql`
    insert into link_days (link_id, campaign_id, organization_id, day, clicks)
    select l.id, l.campaign_id, l.organization_id, counted.day, counted.clicks
    from json_to_recordset(${JSON.stringify(clicks)}::json) as counted (token text, day date, clicks int)
    join links l on l.token = counted.token
    order by l.id, counted.day
    on conflict (link_id, day) do update set clicks = link_days.clicks + excluded.clicks`;
}
