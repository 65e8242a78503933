import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';

export type SponsorshipCounts = {
  running: number;
  endingWithin30Days: number;
  endingWithin60Days: number;
  endingWithin90Days: number;
};

const dayMs = 86_400_000;

/** Counts an organization's running sponsorships with one range scan of the index on their end. */
export async function countSponsorships(
  { organizationId }: { organizationId: string },
  { database, clock }: { database: Database; clock: Clock },
): Promise<SponsorshipCounts> {
  const now = clock();
  const inDays = (days: number) => new Date(now.getTime() + days * dayMs);
  const [counts] = await database.sql<SponsorshipCounts>`
    select count(*)::int as running,
      count(*) filter (where sponsored_until <= ${inDays(30)})::int as "endingWithin30Days",
      count(*) filter (where sponsored_until <= ${inDays(60)})::int as "endingWithin60Days",
      count(*) filter (where sponsored_until <= ${inDays(90)})::int as "endingWithin90Days"
    from redemptions where organization_id = ${organizationId} and sponsored_until > ${now}`;
  return (
    counts ?? { running: 0, endingWithin30Days: 0, endingWithin60Days: 0, endingWithin90Days: 0 }
  );
}
