import { Badge, type Tone } from '../ui/badge.tsx';
import type { ChartSeries } from '../ui/charts/chart.tsx';
import type { BillingStatus } from './documents.ts';

type Look = { label: string; tone: Tone; colour: ChartSeries['colour'] };

const looks: Record<BillingStatus, Look> = {
  UNBILLED: { label: 'Unbilled', tone: 'busy', colour: 1 },
  BILLED: { label: 'Billed', tone: 'good', colour: 2 },
  DISPUTED: { label: 'Disputed', tone: 'bad', colour: 3 },
  WAIVED: { label: 'Waived', tone: 'plain', colour: 4 },
};

const statuses: readonly BillingStatus[] = ['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'];

export const billingOptions = statuses.map((value) => ({ value, label: looks[value].label }));
export const billingSeries: readonly ChartSeries[] = statuses.map((key) => ({
  key,
  label: looks[key].label,
  colour: looks[key].colour,
}));
export const billingLabel = (status: BillingStatus): string => looks[status].label;
export const billingStatusIn = (text: unknown): BillingStatus | undefined =>
  statuses.find((status) => status === text);

export function BillingBadge({ status }: { status: BillingStatus }) {
  const { label, tone } = looks[status];
  return <Badge tone={tone}>{label}</Badge>;
}

type StatusAmount = { billingStatus: BillingStatus; redemptions: number; amountEur: number };
export type Measure = 'redemptions' | 'amountEur';

/** What a chart shows of each status. */
export const valuesOf = (
  amounts: readonly StatusAmount[],
  measure: Measure,
): Record<string, number> =>
  Object.fromEntries(amounts.map((one) => [one.billingStatus, one[measure]]));

export const amountIn = (amounts: readonly StatusAmount[], status: BillingStatus): StatusAmount =>
  amounts.find(({ billingStatus }) => billingStatus === status) ?? {
    billingStatus: status,
    redemptions: 0,
    amountEur: 0,
  };
