import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';

export type Seats = { sponsorships: number; given: number; used: number };

/** What the running sponsorships of each of these campaigns have, in the order of the ids. */
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
  const seats = new Map(rows.map(({ campaignId, ...counted }) => [campaignId, counted]));
  return campaignIds.map((id) => seats.get(id) ?? { sponsorships: 0, given: 0, used: 0 });
}

/** What all running sponsorships of an organization have together. Their members are summed from one range of kept totals, not looked up one by one. */
export async function countAllSeats({ organizationId }: { organizationId: string }, { database, clock }: { database: Database; clock: Clock }): Promise<Seats> {
  const [seats] = await database.sql<Seats>`
    with running as materialized (
      select sponsored_organization_id as id, included_seats from redemptions where organization_id = ${organizationId} and sponsored_until > ${clock()})
    select (select count(*)::int from running) as sponsorships, (select coalesce(sum(included_seats), 0)::int from running) as given,
      (select coalesce(sum(delta), 0)::int from counter_deltas where counter = 'organization.members' and owner_id in (select id from running)) as used`;
  return seats ?? { sponsorships: 0, given: 0, used: 0 };
}
