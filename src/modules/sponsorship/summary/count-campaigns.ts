import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';

export type CampaignCounts = {
  total: number;
  live: number;
  exhausted: number;
  ended: number;
  switchedOff: number;
};

/**
 * Counts an organization's campaigns by state. Each campaign has one state: an inactive campaign is
 * switched off even if it has ended, and one that has ended counts as ended even if it is exhausted.
 */
export async function countCampaigns(
  { organizationId }: { organizationId: string },
  { database, clock }: { database: Database; clock: Clock },
): Promise<CampaignCounts> {
  const at = clock();
  const [counts] = await database.sql<CampaignCounts>`
    select count(*)::int as total,
      count(*) filter (where state = 'live')::int as live, count(*) filter (where state = 'exhausted')::int as exhausted,
      count(*) filter (where state = 'ended')::int as ended, count(*) filter (where state = 'off')::int as "switchedOff"
    from (
      select case
        when not c.is_active then 'off'
        when c.expires_at <= ${at} then 'ended'
        when c.completed_redemptions + case when c.reserved_redemptions = 0 then 0 else
          (select count(*) from reservations where campaign_id = c.id and expires_at > ${at}) end >= c.max_redemptions then 'exhausted'
        else 'live' end as state
      from campaigns c where c.organization_id = ${organizationId}) campaign_states`;
  return counts ?? { total: 0, live: 0, exhausted: 0, ended: 0, switchedOff: 0 };
}
