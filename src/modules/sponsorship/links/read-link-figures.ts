import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';

type DayFigures = { clicks: number; redemptions: number };
/** `day` is the first instant of a day in UTC. */
export type LinkDay = DayFigures & { day: string };
/** `conversion` is null without a click. */
export type LinkFigures = DayFigures & { conversion: number | null; byDay: LinkDay[] };

type ReadLinkFiguresInput = {
  organizationId: string;
  /** Whether the figures are those of links, or of all links of campaigns. */
  of: 'links' | 'campaigns';
  ids: readonly string[];
  /** The number of days, today included. */
  days: number;
};

const owners = { links: fragment`link_id`, campaigns: fragment`campaign_id` };
const dayMs = 86_400_000;

/**
 * Reads how often links were opened and redeemed on each of the last days (UTC), in the order of
 * the ids. What does not exist or belongs to another organization has zeros.
 */
export async function readLinkFigures(
  { organizationId, of, ids, days }: ReadLinkFiguresInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<LinkFigures[]> {
  const today = Math.floor(clock().getTime() / dayMs);
  const starts = Array.from({ length: days }, (_, index) =>
    new Date((today - days + 1 + index) * dayMs).toISOString(),
  );
  const from = starts[0] ?? clock().toISOString();
  const owner = owners[of];
  const rows = await database.sql<DayFigures & { id: string; day: string }>`
    select id, to_char(day, 'YYYY-MM-DD') as day, sum(clicks)::int as clicks, sum(redemptions)::int as redemptions
    from (
      select ${owner} as id, day, clicks, 0 as redemptions from link_days
      where ${owner} = any(${ids}) and organization_id = ${organizationId} and day >= ${from.slice(0, 10)}::date
      union all
      select ${owner}, (redeemed_at at time zone 'UTC')::date, 0, 1 from redemptions
      where ${owner} = any(${ids}) and organization_id = ${organizationId} and redeemed_at >= ${from}::timestamptz) figures
    group by id, day`;
  const figures = new Map(rows.map((row) => [`${row.id} ${row.day}`, row]));
  return ids.map((id) => {
    const byDay = starts.map((day) => {
      const { clicks = 0, redemptions = 0 } = figures.get(`${id} ${day.slice(0, 10)}`) ?? {};
      return { day, clicks, redemptions };
    });
    const clicks = byDay.reduce((sum, row) => sum + row.clicks, 0);
    const redemptions = byDay.reduce((sum, row) => sum + row.redemptions, 0);
    return {
      ...{ clicks, redemptions, byDay },
      conversion: clicks === 0 ? null : redemptions / clicks,
    };
  });
}
