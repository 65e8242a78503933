import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

type ListLevel = { format: string; text: string; start: number };
type ListNumbering = { list: string; levels: Map<number, ListLevel> };

/** The number of a list entry as Word shows it, such as "2.1" or "b)"; '' for a bullet. */
export type NextListNumber = (numberingId: string, level: number) => string;

const levelsMax = 9;

/** Reads how lists are numbered, and returns a function that counts the entries of the document. */
export async function listNumbersOf(
  zip: ZipArchive,
  part: string | undefined,
): Promise<NextListNumber> {
  const numberings =
    part === undefined ? new Map<string, ListNumbering>() : await numberingsOf(zip, part);
  const countersOfList = new Map<string, number[]>();
  return (numberingId, level) => {
    const numbering = numberings.get(numberingId);
    const listLevel = numbering?.levels.get(level);
    if (!numbering || !listLevel || level >= levelsMax) return '';
    const counters = countersOfList.get(numbering.list) ?? [];
    countersOfList.set(numbering.list, counters);
    counters[level] = (counters[level] ?? listLevel.start - 1) + 1;
    counters.length = level + 1;
    if (listLevel.format === 'bullet' || listLevel.format === 'none') return '';
    return listLevel.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const { format = 'decimal', start = 1 } = numbering.levels.get(at) ?? {};
      return formatNumber(counters[at] ?? start, format);
    });
  };
}

async function numberingsOf(zip: ZipArchive, part: string): Promise<Map<string, ListNumbering>> {
  const lists = new Map<string, Map<number, ListLevel>>();
  const numberings = new Map<string, ListNumbering>();
  let levels = new Map<number, ListLevel>();
  let level: ListLevel | undefined;
  let numberingId: string | undefined;
  for await (const events of xmlEvents(zip.read(part)))
    for (const event of events) {
      if (event.type !== 'open') {
        if (event.type === 'close' && event.name === 'num') numberingId = undefined;
        continue;
      }
      const { name, attributes } = event;
      const value = attributeOf(attributes, 'val') ?? '';
      if (name === 'abstractNum') {
        levels = new Map();
        lists.set(attributeOf(attributes, 'abstractNumId') ?? '', levels);
      } else if (name === 'lvl' && numberingId === undefined) {
        level = { format: 'decimal', text: '', start: 1 };
        levels.set(Number(attributeOf(attributes, 'ilvl') ?? 0), level);
      } else if (name === 'num') numberingId = attributeOf(attributes, 'numId') ?? '';
      else if (name === 'abstractNumId' && numberingId !== undefined)
        numberings.set(numberingId, { list: value, levels: lists.get(value) ?? new Map() });
      else if (level && numberingId === undefined) {
        if (name === 'start') level.start = Math.trunc(Number(value)) || 0;
        else if (name === 'numFmt') level.format = value;
        else if (name === 'lvlText') level.text = value.slice(0, 100);
      }
    }
  return numberings;
}

function formatNumber(value: number, format: string): string {
  if (format === 'lowerLetter' || format === 'upperLetter') {
    const letter = String.fromCharCode(97 + ((value - 1) % 26));
    const letters = letter.repeat(Math.min(10, Math.floor((value - 1) / 26) + 1));
    return format === 'upperLetter' ? letters.toUpperCase() : letters;
  }
  if (format === 'upperRoman') return romanOf(value);
  if (format === 'lowerRoman') return romanOf(value).toLowerCase();
  return String(value);
}

const romanDigits: [string, number][] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
];

function romanOf(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let rest = value;
  let roman = '';
  for (const [digit, worth] of romanDigits)
    while (rest >= worth) {
      roman += digit;
      rest -= worth;
    }
  return roman;
}
