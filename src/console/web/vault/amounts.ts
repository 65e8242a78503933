const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

export const formatPercent = (percent: number): string => `${digits.format(percent)} %`;

export const formatMilliseconds = (ms: number): string => `${digits.format(ms)} ms`;

/** Formats a score with three significant digits, because scores can be very small. */
export const formatScore = (score: number): string => digits.format(score);

const unitSeconds = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function formatDuration(seconds: number): string {
  const [unit, length] = unitSeconds.find(([, size]) => seconds >= size) ?? ['second', 1];
  const count = Math.floor(seconds / length);
  return `${count.toLocaleString()} ${unit}${count === 1 ? '' : 's'}`;
}
