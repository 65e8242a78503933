import type { FieldErrorCode } from '../../platform/errors.ts';

const dateTimePattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const dateTimeExpectation =
  'an ISO 8601 date-time with a time zone, such as 2026-12-31T23:59:59Z';

type DateTimeFault = { code: FieldErrorCode; message: string };

/** Parses an RFC 3339 time with a zone. A day that does not exist is rejected, not moved. */
export function parseDateTime(value: unknown): Date | undefined {
  const date = typeof value === 'string' ? readDateTime(value) : undefined;
  return date instanceof Date ? date : undefined;
}

/** The time, or the reason why the text is invalid. */
export function readDateTime(text: string): Date | DateTimeFault {
  const parts = dateTimePattern.exec(text.toUpperCase());
  if (!parts) return { code: 'INVALID_FORMAT', message: describeFormat(text) };
  const [, year, month, day, hour, minute, second] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < 1) return outOfRange;
  if (month < 1 || month > 12) return invalid(`month ${month} does not exist`);
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (day < 1 || day > daysInMonth)
    return invalid(
      `${day} ${monthNames[month - 1]}${month === 2 && day === 29 ? ` ${year}` : ''} does not exist`,
    );
  if (hour > 23 || minute > 59 || second > 59)
    return invalid('the time of day must be from 00:00:00 to 23:59:59');
  const date = new Date(parts[0]);
  if (Number.isNaN(date.getTime())) return invalid(`the time zone ${parts[8]} does not exist`);
  return date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999 ? outOfRange : date;
}

const invalid = (message: string): DateTimeFault => ({ code: 'INVALID', message: `: ${message}` });
const outOfRange: DateTimeFault = {
  code: 'OUT_OF_RANGE',
  message: 'must be in the years 0001 to 9999 in UTC',
};

const timePattern =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?<seconds>:\d\d(\.\d{1,9})?)?(?<zone>(?:[Z+ -].*)?)$/;

function describeFormat(text: string): string {
  const expectation = `must be ${dateTimeExpectation}`;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${expectation}, but has no time`;
  const { seconds, zone } = timePattern.exec(text.toUpperCase())?.groups ?? {};
  if (zone === undefined) return expectation;
  if (zone === '') return `${expectation}, but has no time zone`;
  if (zone.startsWith(' '))
    return `${expectation}, but has a blank instead of the + of its time zone, which is %2B in a URL`;
  if (zone !== 'Z' && !/^[+-]\d\d:\d\d$/.test(zone))
    return `${expectation}, but its time zone is neither Z nor of the form +02:00`;
  return seconds === undefined ? `${expectation}, but has no seconds` : expectation;
}
