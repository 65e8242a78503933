import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { runningSponsorships } from './running-sponsorships.ts';

export type SponsorshipCounts = {
  running: number;
  endingWithin30Days: number;
  endingWithin60Days: number;
  endingWithin90Days: number;
};

const dayMs = 86_400_000;

/** Counts an organization's running sponsorships, and those of them that end soon. */
export async function countSponsorships(
  { organizationId }: { organizationId: string },
  { database, clock }: { database: Database; clock: Clock },
): Promise<SponsorshipCounts> {
  const now = clock();
  const inDays = (days: number) => new Date(now.getTime() + days * dayMs);
  const boundaries = [inDays(30), inDays(60), inDays(90)] as const;
  const sumUntil = (instant: Date) =>
    fragment`coalesce(sum(sponsorships) filter (where ends_at <= ${instant}), 0)::int`;
  const [counts] = await database.sql<SponsorshipCounts>`
    select coalesce(sum(sponsorships), 0)::int as running, ${sumUntil(boundaries[0])} as "endingWithin30Days",
      ${sumUntil(boundaries[1])} as "endingWithin60Days", ${sumUntil(boundaries[2])} as "endingWithin90Days"
    from ${runningSponsorships({ organizationId, boundaries }, now)} running`;
  return (
    counts ?? { running: 0, endingWithin30Days: 0, endingWithin60Days: 0, endingWithin90Days: 0 }
  );
}
