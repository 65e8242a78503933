import type { Database } from '../../../platform/database/database.ts';
import { type Fragment, fragment, type Sql } from '../../../platform/database/sql.ts';

/** A stored counter whose value differs from the number of its rows. */
export type WrongCounter = { counter: string; owner: string; stored: number; counted: number };

/**
 * Two lists of (counter, owner, total): the stored totals, and the totals counted from the rows.
 */
type CounterComparison = { stored: Fragment; counted: Fragment };

const storedFiles = fragment`
  select organization_id, size from assistant_files union all select organization_id, size from conversation_attachments`;

// One statement compares both lists, so that both see the same snapshot.
const comparisons: CounterComparison[] = [
  {
    stored: fragment`
      select 'campaign.completed' as counter, id as owner, completed_redemptions as total from campaigns
      union all select 'campaign.reserved', id, reserved_redemptions from campaigns
      union all select 'link.completed', id, completed_redemptions from links`,
    counted: fragment`
      select 'campaign.completed' as counter, campaign_id as owner, count(*) as total from redemptions group by campaign_id
      union all select 'campaign.reserved', campaign_id, count(*) from reservations group by campaign_id
      union all select 'link.completed', link_id, count(*) from redemptions group by link_id`,
  },
  {
    stored: fragment`select counter, owner_id as owner, sum(delta) as total from counter_deltas group by 1, 2`,
    counted: fragment`
      select 'organization.members' as counter, organization_id as owner, count(*) as total from memberships group by 2
      union all select 'team.members', team_id, count(*) from team_memberships group by 2
      union all select 'organization.files', organization_id, count(*) from (${storedFiles}) files group by 2
      union all select 'organization.bytes', organization_id, sum(size::bigint) from (${storedFiles}) files group by 2
      union all select 'organization.passages', organization_id, sum(indexed_passages::bigint) from assistant_files group by 2
      union all select 'campaign.links', campaign_id, count(*) from links group by 2
      union all select 'campaign.redemptions.' || billing_status, campaign_id, count(*) from redemptions group by 1, 2`,
  },
  {
    stored: fragment`
      select 'month.redemptions' as counter, concat_ws(' ', organization_id, campaign_id, month, billing_status) as owner, sum(redemptions) as total
      from redemption_month_deltas group by 2
      union all select 'month.amount', concat_ws(' ', organization_id, campaign_id, month, billing_status), sum(amount_eur)
      from redemption_month_deltas group by 2`,
    counted: fragment`
      select 'month.redemptions' as counter, concat_ws(' ', organization_id, campaign_id, date_trunc('month', redeemed_at, 'UTC'), billing_status) as owner, count(*) as total
      from redemptions group by 2
      union all select 'month.amount', concat_ws(' ', organization_id, campaign_id, date_trunc('month', redeemed_at, 'UTC'), billing_status), sum(coalesce(billing_amount, 0))
      from redemptions group by 2`,
  },
  {
    stored: fragment`
      select 'day.sponsorships' as counter, concat_ws(' ', organization_id, day) as owner, sum(sponsorships) as total
      from sponsorship_end_deltas group by 2
      union all select 'day.seats', concat_ws(' ', organization_id, day), sum(seats) from sponsorship_end_deltas group by 2`,
    counted: fragment`
      select 'day.sponsorships' as counter, concat_ws(' ', organization_id, (sponsored_until at time zone 'UTC')::date) as owner, count(*) as total
      from redemptions group by 2
      union all select 'day.seats', concat_ws(' ', organization_id, (sponsored_until at time zone 'UTC')::date), sum(coalesce(included_seats, 0))
      from redemptions group by 2`,
  },
];

/** Finds all stored counters that differ from their rows; a missing counter or row counts as 0. */
export async function findWrongCounters({
  database,
}: {
  database: Database;
}): Promise<WrongCounter[]> {
  const wrongCounters: WrongCounter[] = [];
  for (const comparison of comparisons)
    wrongCounters.push(...(await findDifferences(comparison, database.searchSql)));
  return wrongCounters;
}

const findDifferences = (
  { stored, counted }: CounterComparison,
  sql: Sql,
): Promise<WrongCounter[]> => sql<WrongCounter>`
  select counter, owner, coalesce(s.total, 0)::float8 as stored, coalesce(c.total, 0)::float8 as counted
  from (${stored}) s full join (${counted}) c using (counter, owner)
  where coalesce(s.total, 0) <> coalesce(c.total, 0) order by counter, owner`;
