import type { FieldErrorCode } from '../platform/errors.ts';

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

/** RFC 3339 with a zone; a day that the calendar does not have is refused, not moved. */
export function parseDateTime(value: unknown): Date | undefined {
  const date = typeof value === 'string' ? readDateTime(value) : undefined;
  return date instanceof Date ? date : undefined;
}

/** The time that a text names, or the reason why it names none. */
export function readDateTime(text: string): Date | DateTimeFault {
  const parts = dateTimePattern.exec(text.toUpperCase());
  if (!parts) return { code: 'INVALID_FORMAT', message: formFault(text) };
  const [, year, month, day, hour, minute, second] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < 1) return outside;
  if (month < 1 || month > 12) return missing(`month ${month} does not exist`);
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (day < 1 || day > daysInMonth)
    return missing(
      `${day} ${monthNames[month - 1]}${month === 2 && day === 29 ? ` ${year}` : ''} does not exist`,
    );
  if (hour > 23 || minute > 59 || second > 59)
    return missing('the time of day must be from 00:00:00 to 23:59:59');
  const date = new Date(parts[0]);
  if (Number.isNaN(date.getTime())) return missing(`the time zone ${parts[8]} does not exist`);
  return date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999 ? outside : date;
}

const missing = (message: string): DateTimeFault => ({ code: 'INVALID', message: `: ${message}` });
const outside: DateTimeFault = {
  code: 'OUT_OF_RANGE',
  message: 'must be in the years 0001 to 9999 in UTC',
};

function formFault(text: string): string {
  const wanted = `must be ${dateTimeExpectation}`;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${wanted}, but has no time`;
  if (/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?$/.test(text))
    return `${wanted}, but has no time zone`;
  return wanted;
}
