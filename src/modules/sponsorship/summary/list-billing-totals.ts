import type { Database } from '../../../platform/database/database.ts';
import { BillingStatus } from '../../../platform/database/generated/client.ts';
import { fragment } from '../../../platform/database/sql.ts';
import type { StatusAmount } from './list-redemption-months.ts';

type CampaignBillingTotal = StatusAmount & { campaignId: string | null };

/**
 * Returns the number and amount of redemptions in each billing status, from stored totals: for each
 * of these campaigns, or with `campaignIds: null` for the whole organization.
 */
export async function listBillingTotals(
  {
    organizationId,
    campaignIds,
  }: { organizationId: string; campaignIds: readonly string[] | null },
  { database }: { database: Database },
): Promise<{ ofAll: StatusAmount[]; ofCampaign: (campaignId: string) => StatusAmount[] }> {
  const [campaignColumn, condition] = campaignIds
    ? [fragment`campaign_id`, fragment`and campaign_id = any(${campaignIds})`]
    : [fragment`null::text`, fragment``];
  const rows = await database.sql<CampaignBillingTotal>`
    select ${campaignColumn} as "campaignId", billing_status as "billingStatus", sum(redemptions)::int as redemptions, sum(amount_eur)::float8 as "amountEur"
    from redemption_month_deltas where organization_id = ${organizationId} ${condition} group by 1, 2`;
  const totals = new Map(rows.map((row) => [`${row.campaignId} ${row.billingStatus}`, row]));
  const totalsOf = (campaignId: string | null) =>
    Object.values(BillingStatus).map((billingStatus) => {
      const { redemptions = 0, amountEur = 0 } = totals.get(`${campaignId} ${billingStatus}`) ?? {};
      return { billingStatus, redemptions, amountEur };
    });
  return { ofAll: totalsOf(null), ofCampaign: totalsOf };
}
