import type { Database } from '../../../platform/database/database.ts';
import { hashText } from '../../../platform/hash.ts';

/** How often a link or an invitation to it was opened on a day (UTC), such as "2026-05-31". */
export type LinkDayClicks = { token: string; day: string; clicks: number };

/**
 * Adds clicks to the stored numbers of their days, by one statement. All processes add to the same
 * rows, always in the same order, so that they cannot deadlock. Links that were deleted are left out.
 * Invitations that were opened for the first time get `at` as their time.
 */
export async function addLinkClicks(
  clicks: readonly LinkDayClicks[],
  { database, at }: { database: Pick<Database, 'unscoped'>; at: Date },
): Promise<void> {
  const counted = clicks.map((click) => ({
    ...click,
    hash: Buffer.from(hashText(click.token)).toString('hex'),
  }));
  // Visitors of a link belong to no organization.
  await database.unscoped.sql`
    with counted as (
      select token, decode(hash, 'hex') as hash, day, clicks
      from json_to_recordset(${JSON.stringify(counted)}::json) as item (token text, hash text, day date, clicks int)),
    opened as (
      select l.id as link_id, day, clicks from counted join links l on l.token = counted.token
      union all
      select i.link_id, day, clicks from counted join link_invitations i on i.token_hash = counted.hash),
    opened_invitations as (
      update link_invitations i set opened_at = ${at} from (
        select o.id from counted join link_invitations o on o.token_hash = counted.hash
        where o.opened_at is null order by o.id for update of o) first
      where i.id = first.id)
    insert into link_days (link_id, campaign_id, organization_id, day, clicks)
    select l.id, l.campaign_id, l.organization_id, opened.day, sum(opened.clicks)
    from opened join links l on l.id = opened.link_id
    group by l.id, opened.day
    order by l.id, opened.day
    on conflict (link_id, day) do update set clicks = link_days.clicks + excluded.clicks`;
}
