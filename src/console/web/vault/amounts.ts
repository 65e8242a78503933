const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Formats bytes with a unit: 1.5 GB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${digits.format(bytes / 1000 ** power)} ${units[power] ?? 'B'}`;
}

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
