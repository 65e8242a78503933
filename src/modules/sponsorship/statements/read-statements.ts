import type { Database } from '../../../platform/database/database.ts';
import { BillingStatus } from '../../../platform/database/generated/client.ts';
import type { StatusAmount } from '../summary/list-redemption-months.ts';
import type { StatementScope } from './statement-entry.ts';
import type { Month } from './statement-month.ts';

/** What happened to the sponsorships of an organization in a month. */
export type Statement = StatementScope & {
  began: number;
  extended: number;
  ended: number;
  billable: { redemptions: number; amountEur: number };
  byBillingStatus: StatusAmount[];
};

type StatementRow = StatusAmount & {
  month: string;
  billableEur: number;
  extended: number;
  ended: number;
};

type ReadStatementsInput = { organizationId: string; months: readonly Month[]; now: Date };

/**
 * Reads the statements of these months, in their order. Redemptions and amounts are the stored
 * totals that the overview shows.
 */
export async function readStatements(
  { organizationId, months, now }: ReadStatementsInput,
  { sql }: Pick<Database, 'sql'>,
): Promise<Statement[]> {
  if (months.length === 0) return [];
  const rows = await sql<StatementRow>`
    select m.month, s.status as "billingStatus", coalesce(d.redemptions, 0) as redemptions, coalesce(d.amount_eur, 0)::float8 as "amountEur",
      coalesce(sum(d.amount_eur) filter (where s.status <> 'WAIVED') over (partition by m.month), 0)::float8 as "billableEur",
      m.extended, m.ended
    from (
      select span.month,
        (select count(*)::int from sponsorship_extensions where organization_id = ${organizationId}
         and at >= span.month and at < span.until) as extended,
        (select count(*)::int from redemptions where organization_id = ${organizationId}
         and sponsored_until >= span.month and sponsored_until < span.until and sponsored_until <= ${now})
        + (select count(*)::int from sponsorship_extensions where organization_id = ${organizationId}
           and end_before >= span.month and end_before < span.until and at >= end_before) as ended
      from unnest(${months.map(({ start }) => start.toISOString())}::timestamptz[], ${months.map(({ end }) => end.toISOString())}::timestamptz[]) span (month, until)) m
    cross join unnest(enum_range(null::billing_status)) s (status)
    left join lateral (
      select sum(redemptions)::int as redemptions, sum(amount_eur) as amount_eur from redemption_month_deltas
      where organization_id = ${organizationId} and month = m.month and billing_status = s.status) d on true`;
  const rowsByMonth = Map.groupBy(rows, ({ month }) => new Date(month).getTime());
  return months.map((month) => {
    const ofMonth = rowsByMonth.get(month.start.getTime()) ?? [];
    const byBillingStatus = Object.values(BillingStatus).map((billingStatus) => {
      const { redemptions = 0, amountEur = 0 } =
        ofMonth.find((row) => row.billingStatus === billingStatus) ?? {};
      return { billingStatus, redemptions, amountEur };
    });
    const waived = byBillingStatus.find(({ billingStatus }) => billingStatus === 'WAIVED');
    const began = byBillingStatus.reduce((sum, { redemptions }) => sum + redemptions, 0);
    const { extended = 0, ended = 0, billableEur = 0 } = ofMonth[0] ?? {};
    return {
      ...{ organizationId, month, now },
      ...{ began, extended, ended },
      billable: { redemptions: began - (waived?.redemptions ?? 0), amountEur: billableEur },
      byBillingStatus,
    };
  });
}
