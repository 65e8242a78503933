import type { Database } from '../../platform/database/database.ts';
import { BillingStatus } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { StatusAmount } from './list-redemption-months.ts';

type Total = StatusAmount & { campaignId: string | null };

/**
 * What stands in each billing status, for every one of them, from kept totals: of these campaigns,
 * or of all together.
 */
export async function listBillingTotals(
  {
    organizationId,
    campaignIds,
  }: { organizationId: string; campaignIds: readonly string[] | null },
  { database }: { database: Database },
): Promise<{ ofAll: StatusAmount[]; ofCampaign: (campaignId: string) => StatusAmount[] }> {
  const [of, wanted] = campaignIds
    ? [fragment`campaign_id`, fragment`and campaign_id = any(${campaignIds})`]
    : [fragment`null::text`, fragment``];
  const rows = await database.sql<Total>`
    select ${of} as "campaignId", billing_status as "billingStatus", sum(redemptions)::int as redemptions, sum(amount_eur)::float8 as "amountEur"
    from redemption_month_deltas where organization_id = ${organizationId} ${wanted} group by 1, 2`;
  const byPlace = new Map(rows.map((row) => [`${row.campaignId} ${row.billingStatus}`, row]));
  const totalsOf = (campaignId: string | null) =>
    Object.values(BillingStatus).map((billingStatus) => {
      const { redemptions = 0, amountEur = 0 } =
        byPlace.get(`${campaignId} ${billingStatus}`) ?? {};
      return { billingStatus, redemptions, amountEur };
    });
  return { ofAll: totalsOf(null), ofCampaign: totalsOf };
}
