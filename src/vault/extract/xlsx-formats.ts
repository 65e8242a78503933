import { attributeOf, xmlEvents } from './xml.ts';
import type { Zip } from './zip.ts';

/** What a number in a cell stands for. */
export type CellFormat = 'number' | 'percent' | 'date' | 'time' | 'date-time';

/**
 * The formats that the standard numbers without writing them down (ECMA-376 part 1, 18.8.30), with
 * those of East Asia.
 */
const known = new Map<number, CellFormat>([
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

/** The format of each cell style, by the number that cells know it by. */
export async function cellFormatsOf(zip: Zip, part: string | undefined) {
  const formats: CellFormat[] = [];
  if (part === undefined) return formats;
  const own = new Map<number, CellFormat>();
  let inCells = false;
  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type === 'text') continue;
      if (event.name === 'cellXfs') inCells = event.type === 'open';
      if (event.type !== 'open') continue;
      const id = Number(attributeOf(event.attributes, 'numFmtId') ?? 0);
      if (event.name === 'numFmt')
        own.set(id, formatOf(attributeOf(event.attributes, 'formatCode') ?? ''));
      else if (event.name === 'xf' && inCells)
        formats.push(own.get(id) ?? known.get(id) ?? 'number');
    }
  }
  return formats;
}

/** Excel's own limit for a format. */
const codeUnitsMax = 255;

/**
 * Reads what a format's letters stand for. Words in it, colours and currencies are no such letters;
 * only [h], [m] and [s] are.
 */
function formatOf(code: string): CellFormat {
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
