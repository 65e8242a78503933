import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import type { StatementScope } from './statement-entry.ts';

export type StatementDifference = {
  billingStatus: BillingStatus;
  countedRedemptions: number;
  countedAmountEur: number;
  recordedRedemptions: number;
  recordedAmountEur: number;
};

export type StatementReconciliation = {
  redemptions: number;
  amountEur: number;
  unvalued: number;
  differences: StatementDifference[];
};

type StatusRow = StatementDifference & { unvalued: number; totalEur: number; agrees: boolean };

/**
 * Counts the redemptions of a statement one by one, and compares them with the totals of billing
 * that the overview shows. One statement reads both, so a change in the meantime makes no
 * difference.
 */
export async function reconcileStatement(
  { organizationId, month: { start, end } }: StatementScope,
  { sql }: Pick<Database, 'sql'>,
): Promise<StatementReconciliation> {
  const rows = await sql<StatusRow>`
    select s.status as "billingStatus", counted.redemptions as "countedRedemptions", counted.amount_eur::float8 as "countedAmountEur",
      recorded.redemptions as "recordedRedemptions", recorded.amount_eur::float8 as "recordedAmountEur", counted."unvalued",
      sum(counted.amount_eur) over ()::float8 as "totalEur",
      (counted.redemptions, counted.amount_eur) = (recorded.redemptions, recorded.amount_eur) as agrees
    from unnest(enum_range(null::billing_status)) s (status)
    cross join lateral (
      select count(*)::int as redemptions, coalesce(sum(billing_amount), 0) as amount_eur, count(*) filter (where billing_amount is null)::int as "unvalued"
      from redemptions where organization_id = ${organizationId} and billing_status = s.status and redeemed_at >= ${start} and redeemed_at < ${end}) counted
    cross join lateral (
      select coalesce(sum(redemptions), 0)::int as redemptions, coalesce(sum(amount_eur), 0) as amount_eur
      from redemption_month_deltas where organization_id = ${organizationId} and month = ${start} and billing_status = s.status) recorded
    order by s.status`;
  return {
    redemptions: rows.reduce((sum, { countedRedemptions }) => sum + countedRedemptions, 0),
    amountEur: rows[0]?.totalEur ?? 0,
    unvalued: rows.reduce((sum, { unvalued }) => sum + unvalued, 0),
    differences: rows.filter(({ agrees }) => !agrees),
  };
}
