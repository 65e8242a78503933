import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { BillingStatus } from '../../../platform/database/generated/client.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { readCampaign } from '../campaigns/read-campaigns.ts';

type RedemptionAmount = { redemptions: number; amountEur: number };
export type StatusAmount = RedemptionAmount & { billingStatus: BillingStatus };
export type RedemptionMonth = RedemptionAmount & { month: string; byBillingStatus: StatusAmount[] };

type ListRedemptionMonthsInput = {
  organizationId: string;
  months: number;
  campaignId?: string | null | undefined;
};

/**
 * Lists the redemptions of each of the last calendar months (UTC), including the current one,
 * oldest first, from stored totals. A month without redemptions has zeros.
 */
export async function listRedemptionMonths(
  { organizationId, months, campaignId }: ListRedemptionMonthsInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<RedemptionMonth[]> {
  if (campaignId) await readCampaign({ organizationId, campaignId }, { database, clock });
  const now = clock();
  const starts = Array.from(
    { length: months },
    (_, index) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1 + index)),
  );
  const campaignCondition = campaignId ? fragment`and campaign_id = ${campaignId}` : fragment``;
  const rows = await database.sql<
    RedemptionAmount & { month: string; billingStatus: BillingStatus | null }
  >`
    select month, billing_status as "billingStatus", sum(redemptions)::int as redemptions, sum(amount_eur)::float8 as "amountEur"
    from redemption_month_deltas
    where organization_id = ${organizationId} and month >= ${starts[0] ?? now} ${campaignCondition}
    group by grouping sets ((month), (month, billing_status))`;
  const amounts = new Map(
    rows.map(({ month, billingStatus, redemptions, amountEur }) => [
      `${month} ${billingStatus}`,
      { redemptions, amountEur },
    ]),
  );
  const amountOf = (month: string, status: BillingStatus | null) =>
    amounts.get(`${month} ${status}`) ?? { redemptions: 0, amountEur: 0 };
  return starts.map((start) => {
    const month = start.toISOString();
    const byBillingStatus = Object.values(BillingStatus).map((billingStatus) => ({
      billingStatus,
      ...amountOf(month, billingStatus),
    }));
    return { month, ...amountOf(month, null), byBillingStatus };
  });
}
