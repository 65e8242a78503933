const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** As people say it: 1.5 GB. */
export function bytesOf(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${digits.format(bytes / 1000 ** power)} ${units[power] ?? 'B'}`;
}

export const percentOf = (percent: number): string => `${digits.format(percent)} %`;

export const millisecondsOf = (ms: number): string => `${digits.format(ms)} ms`;

/** A score that may be very small: three digits that count. */
export const scoreOf = (score: number): string => digits.format(score);

const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function durationOf(seconds: number): string {
  const [unit, length] = steps.find(([, size]) => seconds >= size) ?? ['second', 1];
  const count = Math.floor(seconds / length);
  return `${count.toLocaleString()} ${unit}${count === 1 ? '' : 's'}`;
}
