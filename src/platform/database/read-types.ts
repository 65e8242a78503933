import { TypeOverrides } from 'pg';

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const TEXT_ARRAY = 1009;

/** How SQL reads hand values on. No Date: fifty rows of Dates cost more than their query. */
export const readTypes = new TypeOverrides();
// Its types take a parser for one that is handed an oid.
const parseArray = readTypes.getTypeParser(TEXT_ARRAY, 'text') as unknown as (
  text: string,
) => (string | null)[];
readTypes.setTypeParser(INT8, safeInteger);
readTypes.setTypeParser(DATE, (text) => text);
readTypes.setTypeParser(TIMESTAMPTZ, isoTime);
readTypes.setTypeParser(TEXT_ARRAY, textArray);

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError('an int8 is beyond the safe integers: read it as text');
  return value;
}

/** Most lists are of plain words, which need not be read letter by letter. */
function textArray(text: string): (string | null)[] {
  if (text === '{}') return [];
  return /["\\]|\bNULL\b/i.test(text) || !text.startsWith('{') || text.includes('{', 1)
    ? parseArray(text)
    : text.slice(1, -1).split(',');
}

/** `2024-05-06 07:08:09.1+00`, as a session in UTC writes it, to `2024-05-06T07:08:09.100Z`. */
function isoTime(text: string): string {
  // With three decimals, and without any: nearly every time there is.
  if (text.charCodeAt(4) === 45 && text.charCodeAt(23) === 43 && text.length === 26)
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  if (text.charCodeAt(4) === 45 && text.charCodeAt(19) === 43 && text.length === 22)
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`;
  if (text.charCodeAt(4) !== 45 || !text.endsWith('+00'))
    throw new RangeError('a time that ISO 8601 has no four-digit year for');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`;
}
