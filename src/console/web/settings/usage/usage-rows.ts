import { formatDate, formatNumber } from '../../texts/format.ts';

const dayMs = 86_400_000;

type UsageRange = { from: string; until: string; days: string[] };

/** The days of a period in UTC, until and with today. `until` is the day after the last one. */
export function usageDays(count: number, now: Date): UsageRange {
  const today = Date.parse(now.toISOString().slice(0, 10));
  const dayAt = (offset: number) => new Date(today + offset * dayMs).toISOString().slice(0, 10);
  const days = Array.from({ length: count }, (_, index) => dayAt(index - count + 1));
  return { from: dayAt(1 - count), until: dayAt(1), days };
}

/** A day in UTC, such as 2026-02-28. */
export const formatDay = (day: string): string =>
  formatDate(new Date(day), { dateStyle: 'medium', timeZone: 'UTC' });

/** What a row is grouped by, other than by the model. */
export const groupId = ({
  userId,
  assistantId,
  keyId,
}: {
  userId: string | null;
  assistantId: string | null;
  keyId: string | null;
}): string | null => userId ?? assistantId ?? keyId;

export function formatCost({
  cost,
  currency,
}: {
  cost: number | null;
  currency: string | null;
}): string {
  if (cost === null) return '–';
  if (currency === null) return formatNumber(cost);
  return formatNumber(cost, { style: 'currency', currency });
}
