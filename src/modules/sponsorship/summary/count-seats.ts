import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { runningSponsorships } from './running-sponsorships.ts';

export type Seats = { sponsorships: number; given: number; used: number };

/** Counts the seats of the running sponsorships of each campaign, in the order of the ids. */
export async function countSeats(
  { organizationId, campaignIds }: { organizationId: string; campaignIds: readonly string[] },
  { database, clock }: { database: Database; clock: Clock },
): Promise<Seats[]> {
  const rows = await database.sql<Seats & { campaignId: string }>`
    select r.campaign_id as "campaignId", count(*)::int as sponsorships,
      coalesce(sum(r.included_seats), 0)::int as given, coalesce(sum(m.members), 0)::int as used
    from redemptions r
    left join lateral (
      select sum(delta) as members from counter_deltas where counter = 'organization.members' and owner_id = r.sponsored_organization_id) m on true
    where r.campaign_id = any(${campaignIds}) and r.organization_id = ${organizationId} and r.sponsored_until > ${clock()}
    group by r.campaign_id`;
  const seats = new Map(
    rows.map(({ campaignId, ...campaignSeats }) => [campaignId, campaignSeats]),
  );
  return campaignIds.map((id) => seats.get(id) ?? { sponsorships: 0, given: 0, used: 0 });
}

/**
 * Counts the seats of all running sponsorships of an organization. `searchSql` plans the statement
 * on each call: for 250,000 sponsorships Postgres then counts the members in one join, which takes
 * 0.5 s instead of 2.5 s for one look-up per sponsorship.
 */
export async function countAllSeats(
  { organizationId }: { organizationId: string },
  { database, clock }: { database: Database; clock: Clock },
): Promise<Seats> {
  const now = clock();
  const [seats] = await database.searchSql<Seats>`
    select coalesce(sum(sponsorships), 0)::int as sponsorships, coalesce(sum(seats), 0)::int as given,
      (select coalesce(sum(d.delta), 0)::int from counter_deltas d
       where d.counter = 'organization.members' and d.owner_id in (
         select r.sponsored_organization_id from redemptions r where r.organization_id = ${organizationId} and r.sponsored_until > ${now})) as used
    from ${runningSponsorships({ organizationId, boundaries: [] }, now)} running`;
  return seats ?? { sponsorships: 0, given: 0, used: 0 };
}
