import type { PlainKey } from '../texts/catalogue.ts';
import { t } from '../texts/text.ts';
import type { ChartSeries } from '../ui/charts/chart-data.ts';
import { Badge, type StatusTone } from '../ui/status.tsx';
import type { BillingStatus } from './documents.ts';

type StatusStyle = { label: PlainKey; tone: StatusTone; colour: ChartSeries['colour'] };

const statusStyles: Record<BillingStatus, StatusStyle> = {
  UNBILLED: { label: 'sponsorship.unbilled', tone: 'busy', colour: 1 },
  BILLED: { label: 'sponsorship.billed', tone: 'good', colour: 2 },
  DISPUTED: { label: 'sponsorship.disputed', tone: 'bad', colour: 3 },
  WAIVED: { label: 'sponsorship.waived', tone: 'plain', colour: 4 },
};

const statuses: readonly BillingStatus[] = ['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'];

export const billingLabel = (status: BillingStatus): string => t(statusStyles[status].label);
export const billingOptions = () =>
  statuses.map((value) => ({ value, label: billingLabel(value) }));
export const billingSeries = (): readonly ChartSeries[] =>
  statuses.map((key) => ({
    key,
    label: billingLabel(key),
    colour: statusStyles[key].colour,
  }));
export const parseBillingStatus = (text: unknown): BillingStatus | undefined =>
  statuses.find((status) => status === text);

export function BillingBadge({ status }: { status: BillingStatus }) {
  return <Badge tone={statusStyles[status].tone}>{billingLabel(status)}</Badge>;
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
