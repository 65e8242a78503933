import type { BudgetPeriod } from '../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';

/** The start of a budget without periods. */
const beginning = new Date(0);

const dayStart = (at: Date) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
const monthStart = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));

/** The start of the period, in UTC, to which this moment belongs. */
export function periodStart(period: BudgetPeriod, at: Date): Date {
  if (period === 'TOTAL') return beginning;
  return period === 'DAY' ? dayStart(at) : monthStart(at);
}

/** The end of the period that begins at `start`; null for a budget without periods. */
export function periodEnd(period: BudgetPeriod, start: Date): Date | null {
  if (period === 'TOTAL') return null;
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  return new Date(period === 'DAY' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1));
}

/**
 * The start of the period of `budgets b` to which this moment belongs. The clocks of processes
 * differ: a period that another process has begun is not left again.
 */
export const currentStart = (at: Date): Fragment => fragment`
  greatest(b.period_start, case b.period when 'DAY' then ${dayStart(at)}::timestamptz when 'MONTH' then ${monthStart(at)}::timestamptz else b.period_start end)`;
