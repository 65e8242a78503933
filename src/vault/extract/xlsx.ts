import { ExtractError } from './extract-error.ts';
import { columnNameOf } from './labelled-row.ts';
import { packedDocument } from './packed-document.ts';
import { mainPartOf, oncePerPart, relationsOf } from './relations.ts';
import { cellTextOf } from './xlsx-cell.ts';
import { type CellFormat, cellFormatsOf } from './xlsx-formats.ts';
import { sharedStringsOf } from './xlsx-strings.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { Zip } from './zip.ts';

/**
 * Excel: each sheet is a page under its name, each row one block that says the head of the column
 * before every value.
 */
export const readXlsx = packedDocument(async function* (zip, { pagesMax, textUnitsMax }) {
  const { sheets, ...workbook } = await workbookOf(zip);
  let page = 0;
  for (const { name, part } of sheets.slice(0, pagesMax)) {
    page += 1;
    let rows = 0;
    const say = createRowText();
    for await (const cells of rowsOf(zip, part, workbook, textUnitsMax)) {
      if (cells.length === 0) continue;
      if (rows === 0) yield { kind: 'heading', level: 1, text: name, page };
      yield { kind: 'row', text: say(cells), page, ...(rows > 0 && { joint: '\n' }) };
      rows += 1;
    }
  }
});

type Cell = { column: number; text: string; isText: boolean };
type Workbook = { strings: string[]; formats: CellFormat[]; since1904: boolean };

/**
 * The head of a sheet is its first row of at least two cells, if all of them are words. Rows above
 * it (a title over the table) and rows of a sheet without one are said without heads.
 */
function createRowText() {
  let heads: Map<number, string> | undefined;
  return (cells: Cell[]) => {
    if (!heads && cells.length > 1) {
      heads = new Map(
        cells.every(({ isText }) => isText)
          ? cells.map(({ column, text }) => [column, columnNameOf(text)])
          : [],
      );
      return cells.map(({ text }) => text).join(' | ');
    }
    return cells
      .map(({ column, text }) => {
        const head = heads?.get(column);
        return head === undefined ? text : `${head}: ${text}`;
      })
      .join(' | ');
  };
}

async function workbookOf(
  zip: Zip,
): Promise<Workbook & { sheets: { name: string; part: string }[] }> {
  const main = await mainPartOf(zip);
  const relations = await relationsOf(zip, main);
  const partOf = (kind: string) => relations.find((relation) => relation.kind === kind)?.part;
  // Each part is one sheet: a sheet that is named a thousand times would be read a thousand times.
  const worksheets = new Map(
    oncePerPart(relations.filter(({ kind }) => kind === 'worksheet')).map(({ id, part }) => [
      id,
      part,
    ]),
  );
  const sheets: { name: string; part: string }[] = [];
  let since1904 = false;
  for await (const events of xmlEvents(zip.read(main))) {
    for (const event of events) {
      if (event.type !== 'open') continue;
      const { name, attributes } = event;
      if (name === 'workbookPr')
        since1904 = /^(1|true|on)$/.test(attributeOf(attributes, 'date1904') ?? '');
      if (name !== 'sheet') continue;
      const id = attributeOf(attributes, ':id') ?? '';
      const part = worksheets.get(id);
      if (part !== undefined) sheets.push({ name: attributeOf(attributes, 'name') ?? '', part });
      worksheets.delete(id);
    }
  }
  return {
    sheets,
    since1904,
    strings: await sharedStringsOf(zip, partOf('sharedStrings')),
    formats: await cellFormatsOf(zip, partOf('styles')),
  };
}

/**
 * The cells of each row that hold something. Formulas are known by the value that was last
 * reckoned.
 */
async function* rowsOf(
  zip: Zip,
  part: string,
  { strings, formats, since1904 }: Workbook,
  textUnitsMax: number,
) {
  let cells: Cell[] = [];
  let units = 0;
  let column = 0;
  let kind = '';
  let format: CellFormat = 'number';
  let value = '';
  let takes = false;
  let phonetic = false;

  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type === 'text') {
        if (takes && !phonetic) value += event.text;
        continue;
      }
      const { type, name } = event;
      if (name === 'row') {
        if (type === 'close') yield cells;
        cells = [];
        units = 0;
        column = 0;
      } else if (name === 'c' && type === 'open') {
        const { attributes } = event;
        column = columnOf(attributes['r']) ?? column + 1;
        kind = attributes['t'] ?? 'n';
        format = formats[Number(attributes['s'] ?? 0)] ?? 'number';
        value = '';
      } else if (name === 'v' || name === 't') {
        takes = type === 'open';
      } else if (name === 'rPh') {
        phonetic = type === 'open';
      } else if (name === 'c') {
        const text = cellTextOf({ kind, value, format, strings, since1904 });
        // Many cells of one row can name the same long text.
        units += text.length;
        if (units > textUnitsMax) throw new ExtractError('TOO_LARGE_TEXT');
        if (text !== '')
          cells.push({
            column,
            text,
            isText: kind === 's' || kind === 'str' || kind === 'inlineStr',
          });
      }
    }
  }
}

/** 'AB12' stands in column 28. */
function columnOf(reference: string | undefined) {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}
