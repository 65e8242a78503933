import type { CellFormat } from './xlsx-formats.ts';

type CellValue = {
  kind: string;
  value: string;
  format: CellFormat;
  strings: string[];
  since1904: boolean;
};

/**
 * Formats the value of a cell on one line: dates in ISO 8601, numbers with the 15 digits that Excel
 * shows.
 */
export function cellTextOf({ kind, value, format, strings, since1904 }: CellValue) {
  if (kind === 's') return lineOf(strings[Number(value)] ?? '');
  if (kind === 'b') return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : '';
  if (kind !== 'n') return lineOf(value);
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return lineOf(value);
  if (format === 'number') return digits(number);
  if (typeof format === 'object') return `${number.toFixed(format.decimals)} ${format.currency}`;
  if (format === 'percent') return `${digits(number * 100)}%`;
  return formatDateTime(number, format, since1904) ?? digits(number);
}

/**
 * Excel's limit for the text of a cell. Without it, every cell that refers to a long shared string
 * would add its full length.
 */
const cellUnitsMax = 32_767;

/** Excel writes characters that XML cannot contain as _x000D_. */
const lineOf = (text: string) =>
  text
    .slice(0, cellUnitsMax)
    .replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\s+/g, ' ')
    .trim();

const digits = (number: number) => String(Number(number.toPrecision(15)));

const dayMs = 86_400_000;
/**
 * Day 0. Excel counts 29 February 1900, a day that did not exist, so dates before 1 March 1900 are
 * off by one day. Such dates do not occur in practice.
 */
const epochs = { since1900: Date.UTC(1899, 11, 30), since1904: Date.UTC(1904, 0, 1) };

function formatDateTime(days: number, format: Exclude<CellFormat, object>, since1904: boolean) {
  // The last day that Excel supports is 31 December 9999.
  if (days < 0 || days >= 2_958_466) return undefined;
  // Rounded to seconds, because fractions of a day are not more precise.
  const seconds = Math.round((days * dayMs) / 1000);
  if (format === 'time' && days >= 1)
    return `${digits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  const iso = new Date(
    (since1904 ? epochs.since1904 : epochs.since1900) + seconds * 1000,
  ).toISOString();
  const [date = '', time = ''] = iso.slice(0, 19).split('T');
  if (format === 'date') return date;
  return format === 'time' ? time : `${date} ${time}`;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');
