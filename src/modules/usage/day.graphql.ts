import { builder } from '../../graph/schema/builder.ts';
import { readDateTime } from '../../graph/schema/date-time.ts';
import { scalar } from '../../graph/schema/scalars.ts';
import { InputFault } from '../../platform/input-fault.ts';

declare module '../../graph/schema/builder.ts' {
  interface Scalars {
    Date: { Input: string; Output: string };
  }
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** A day, or the first instant of a day in UTC, which many programs write instead. */
function readDay(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const isDay = dayPattern.test(value);
  if (!isDay && !value.includes('T')) return undefined;
  const time = readDateTime(isDay ? `${value}T00:00:00Z` : value);
  if (!(time instanceof Date)) throw new InputFault(time.code, time.message);
  if (time.getTime() % 86_400_000 !== 0)
    throw new InputFault('INVALID', 'must be a day, or midnight in UTC');
  return time.toISOString().slice(0, 10);
}

builder.addScalarType(
  'Date',
  scalar(
    'Date',
    {
      expectation: 'an ISO 8601 date, such as 2026-12-31',
      description: 'An ISO 8601 date. An input can also be its midnight in UTC as a date-time.',
      specifiedBy: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
      jsonSchema: { type: 'string', format: 'date' },
    },
    readDay,
  ),
);
