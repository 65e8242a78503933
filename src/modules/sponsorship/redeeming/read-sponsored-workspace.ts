import type { Database } from '../../../platform/database/database.ts';
import { isLinkToken, linksOfToken } from './read-offer.ts';

export type SponsoredWorkspace = {
  organizationId: string;
  sponsorName: string;
  campaignName: string;
  durationMonths: number;
  includedSeats: number | null;
  sponsoredUntil: string;
};

/**
 * Reads the workspace that a person redeemed from the campaign of this link; null if they have none
 * or are no longer a member of it.
 */
export async function readSponsoredWorkspace(
  { token, userId }: { token: string; userId: string },
  { database }: { database: Database },
): Promise<SponsoredWorkspace | null> {
  if (!isLinkToken(token)) return null;
  const [workspace] = await database.sql<SponsoredWorkspace>`
    select r.sponsored_organization_id as "organizationId", coalesce(b.display_name, o.name) as "sponsorName", c.name as "campaignName",
      r.duration_months as "durationMonths", r.included_seats as "includedSeats", r.sponsored_until as "sponsoredUntil"
    from (${linksOfToken(token)}) opened
    join links l on l.id = opened.link_id
    join redemptions r on r.campaign_id = l.campaign_id and r.user_id = ${userId}
    join memberships m on m.organization_id = r.sponsored_organization_id and m.user_id = r.user_id
    join campaigns c on c.id = l.campaign_id
    join organizations o on o.id = c.organization_id
    left join sponsor_brandings b on b.organization_id = o.id`;
  return workspace ?? null;
}
