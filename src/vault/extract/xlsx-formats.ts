import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/** The meaning of a number in a cell. */
export type CellFormat = 'number' | 'percent' | 'date' | 'time' | 'date-time' | CurrencyFormat;
/** The sign or code of the currency, and the number of digits after the decimal point. */
type CurrencyFormat = { currency: string; decimals: number };

/**
 * The built-in formats of the standard, which files refer to only by number (ECMA-376 part 1,
 * 18.8.30), including those for East Asia.
 */
const builtInFormats = new Map<number, CellFormat>([
  ...[9, 10].map((id): [number, CellFormat] => [id, 'percent']),
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map(
    (id): [number, CellFormat] => [id, 'date'],
  ),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id): [number, CellFormat] => [
    id,
    'time',
  ]),
  [22, 'date-time'],
]);

/** Returns the format of each cell style, by the index that cells use. */
export async function cellFormatsOf(zip: ZipArchive, part: string | undefined) {
  const formats: CellFormat[] = [];
  if (part === undefined) return formats;
  const customFormats = new Map<number, CellFormat>();
  let isInCellFormats = false;
  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type === 'text') continue;
      if (event.name === 'cellXfs') isInCellFormats = event.type === 'open';
      if (event.type !== 'open') continue;
      const id = Number(attributeOf(event.attributes, 'numFmtId') ?? 0);
      if (event.name === 'numFmt')
        customFormats.set(id, formatOf(attributeOf(event.attributes, 'formatCode') ?? ''));
      else if (event.name === 'xf' && isInCellFormats)
        formats.push(customFormats.get(id) ?? builtInFormats.get(id) ?? 'number');
    }
  }
  return formats;
}

/** Excel's limit for a format code. */
const codeUnitsMax = 255;

/** `#,##0.00 "€"`, `[$CHF-807] 0.00` and `"EUR" 0` are amounts of money, `0 "kg"` is not. */
function currencyOf(code: string): CurrencyFormat | undefined {
  const positive = code.split(';', 1).join('');
  const [, inBrackets, quoted, sign] =
    /\[\$([^\]-]{1,8})(?:-[^\]]*)?\]|"\s*(\p{Lu}{3}|\p{Sc})\s*"|\\?(\p{Sc})/u.exec(positive) ?? [];
  const currency = (inBrackets ?? quoted ?? sign ?? '').trim();
  if (currency === '' || !/[0#]/.test(positive)) return undefined;
  return { currency, decimals: /\.(0{1,4})/.exec(positive)?.[1]?.length ?? 0 };
}

/**
 * Detects the meaning of a format code from its letters. Quoted text, colours and currencies are
 * ignored; of the parts in brackets only [h], [m] and [s] count.
 */
function formatOf(code: string): CellFormat {
  const currency = currencyOf(code.slice(0, codeUnitsMax));
  if (currency) return currency;
  const letters = code
    .slice(0, codeUnitsMax)
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .replaceAll(/general/gi, '')
    .split(';', 1)
    .join('')
    .toLowerCase();
  const date = /[yd]/.test(letters);
  const time = /[hs]/.test(letters);
  if (date && time) return 'date-time';
  if (date || (letters.includes('m') && !time)) return 'date';
  if (time) return 'time';
  return letters.includes('%') ? 'percent' : 'number';
}
