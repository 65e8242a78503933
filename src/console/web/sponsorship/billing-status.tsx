import type { ChartSeries } from '../ui/charts/chart-data.ts';
import { Badge, type StatusTone } from '../ui/status.tsx';
import type { BillingStatus } from './documents.ts';

type StatusStyle = { label: string; tone: StatusTone; colour: ChartSeries['colour'] };

const statusStyles: Record<BillingStatus, StatusStyle> = {
  UNBILLED: { label: 'Unbilled', tone: 'busy', colour: 1 },
  BILLED: { label: 'Billed', tone: 'good', colour: 2 },
  DISPUTED: { label: 'Disputed', tone: 'bad', colour: 3 },
  WAIVED: { label: 'Waived', tone: 'plain', colour: 4 },
};

const statuses: readonly BillingStatus[] = ['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'];

export const billingOptions = statuses.map((value) => ({
  value,
  label: statusStyles[value].label,
}));
export const billingSeries: readonly ChartSeries[] = statuses.map((key) => ({
  key,
  label: statusStyles[key].label,
  colour: statusStyles[key].colour,
}));
export const billingLabel = (status: BillingStatus): string => statusStyles[status].label;
export const parseBillingStatus = (text: unknown): BillingStatus | undefined =>
  statuses.find((status) => status === text);

export function BillingBadge({ status }: { status: BillingStatus }) {
  const { label, tone } = statusStyles[status];
  return <Badge tone={tone}>{label}</Badge>;
}

export type StatusAmount = { billingStatus: BillingStatus; redemptions: number; amountEur: number };
export type BillingMeasure = 'redemptions' | 'amountEur';

/** The chart values by billing status. */
export const chartValues = (
  amounts: readonly StatusAmount[],
  measure: BillingMeasure,
): Record<string, number> =>
  Object.fromEntries(amounts.map((amount) => [amount.billingStatus, amount[measure]]));

export const amountOfStatus = (
  amounts: readonly StatusAmount[],
  status: BillingStatus,
): StatusAmount =>
  amounts.find(({ billingStatus }) => billingStatus === status) ?? {
    billingStatus: status,
    redemptions: 0,
    amountEur: 0,
  };
