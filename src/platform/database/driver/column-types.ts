import { TypeOverrides } from 'pg';

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const TEXT_ARRAY = 1009;

/**
 * Type parsers of `sql`. Timestamps stay strings: creating Dates for fifty rows takes longer
 * than the query.
 */
export const columnTypes = new TypeOverrides();
// The types of `pg` declare the parser as one for an OID.
const parseArray = columnTypes.getTypeParser(TEXT_ARRAY, 'text') as unknown as (
  text: string,
) => (string | null)[];
columnTypes.setTypeParser(INT8, safeInteger);
columnTypes.setTypeParser(DATE, (text) => text);
columnTypes.setTypeParser(TIMESTAMPTZ, isoTime);
columnTypes.setTypeParser(TEXT_ARRAY, textArray);

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError('an int8 is beyond the safe integers: read it as text');
  return value;
}

/** Most arrays contain plain words, which can be split without a full parser. */
function textArray(text: string): (string | null)[] {
  if (text === '{}') return [];
  return /["\\]|\bNULL\b/i.test(text) || !text.startsWith('{') || text.includes('{', 1)
    ? parseArray(text)
    : text.slice(1, -1).split(',');
}

/**
 * Converts `2024-05-06 07:08:09.1+00`, the format of a session in UTC, to
 * `2024-05-06T07:08:09.100Z`.
 */
function isoTime(text: string): string {
  // Three decimals or none: nearly all timestamps.
  if (text.charCodeAt(4) === 45 && text.charCodeAt(23) === 43 && text.length === 26)
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  if (text.charCodeAt(4) === 45 && text.charCodeAt(19) === 43 && text.length === 22)
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`;
  if (text.charCodeAt(4) !== 45 || !text.endsWith('+00'))
    throw new RangeError('a time that ISO 8601 has no four-digit year for');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`;
}
