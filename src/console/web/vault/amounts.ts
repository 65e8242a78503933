import { formatNumber } from '../texts/format.ts';

/** Formats a score with three significant digits, because scores can be very small. */
export const formatScore = (score: number): string =>
  formatNumber(score, { maximumSignificantDigits: 3 });

export const formatPercent = (percent: number): string => `${formatScore(percent)} %`;

export const formatMilliseconds = (ms: number): string => `${formatScore(ms)} ms`;

const unitSeconds = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function formatDuration(seconds: number): string {
  const [unit, length] = unitSeconds.find(([, size]) => seconds >= size) ?? ['second', 1];
  return formatNumber(Math.floor(seconds / length), { style: 'unit', unit, unitDisplay: 'long' });
}
