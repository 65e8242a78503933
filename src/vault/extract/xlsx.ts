import { addNotice, type NoticeCounts, type TextBlock } from './block.ts';
import { drawingTextOf } from './drawing-text.ts';
import { ExtractError } from './extract-error.ts';
import { packedDocument } from './packed-document.ts';
import { mainPartOf, oncePerPart, relationsOf } from './relations.ts';
import { createRowFormatter, type SheetCell } from './sheet-rows.ts';
import { cellTextOf } from './xlsx-cell.ts';
import { type CellFormat, cellFormatsOf } from './xlsx-formats.ts';
import { columnNumberOf, mergedCellsOf } from './xlsx-merges.ts';
import { sharedStringsOf } from './xlsx-strings.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/**
 * Reads Excel: each sheet is a page with its name as the heading. Each row is one block, with the
 * header of the column before every value. Text boxes and comments follow the rows.
 */
export const readXlsx = packedDocument(async function* (zip, { pagesMax, textUnitsMax, notices }) {
  const { sheets: allSheets, ...workbook } = await workbookOf(zip);
  const sheets = visibleSheets(allSheets);
  for (let hidden = sheets.length; hidden < allSheets.length; hidden += 1)
    addNotice(notices, 'SHEETS_HIDDEN');
  let page = 0;
  for (const { name, part } of sheets.slice(0, pagesMax)) {
    page += 1;
    let rows = 0;
    const textOfRow = createRowFormatter();
    const heading = { kind: 'heading', level: 1, text: name, page } as const;
    for await (const cells of rowsOf(zip, part, { ...workbook, textUnitsMax, notices })) {
      if (cells.length === 0) continue;
      if (rows === 0) yield heading;
      yield { kind: 'row', text: textOfRow(cells), page, ...(rows > 0 && { separator: '\n' }) };
      rows += 1;
    }
    const boxes = await textBoxesOf(zip, part);
    if (rows === 0 && boxes.length > 0) yield heading;
    for (const block of boxes) yield { ...block, page };
    for (const text of await commentsOf(zip, part, textUnitsMax))
      yield { kind: 'paragraph', text: `${name}, ${text}`, page };
  }
});

async function textBoxesOf(zip: ZipArchive, sheet: string): Promise<TextBlock[]> {
  const blocks: TextBlock[] = [];
  for (const { kind, part } of oncePerPart(await relationsOf(zip, sheet)))
    if (kind === 'drawing' && zip.has(part))
      blocks.push(...(await drawingTextOf(zip, part)).blocks);
  return blocks;
}

/** The comments of a sheet, each after the name of its cell: "B2: agreed by phone". */
async function commentsOf(zip: ZipArchive, sheet: string, textUnitsMax: number) {
  const comments: string[] = [];
  let units = 0;
  for (const { kind, part } of oncePerPart(await relationsOf(zip, sheet))) {
    if (kind !== 'comments') continue;
    let comment = '';
    let isInText = false;
    for await (const events of xmlEvents(zip.read(part)))
      for (const event of events) {
        if (event.type === 'text') {
          if (isInText) comment += event.text;
        } else if (event.name === 't') isInText = event.type === 'open';
        else if (event.name === 'comment' && event.type === 'open')
          comment = `${attributeOf(event.attributes, 'ref') ?? ''}: `;
        else if (event.name === 'comment') {
          comments.push(comment.replaceAll(/\s+/g, ' ').trim());
          units += comment.length;
          if (units > textUnitsMax) throw new ExtractError('TOO_LARGE_TEXT');
        }
      }
  }
  return comments;
}

type Sheet = { name: string; part: string; isHidden: boolean };

/** Hidden sheets have notes and intermediate results. A workbook has a visible sheet. */
function visibleSheets(sheets: readonly Sheet[]): readonly Sheet[] {
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  return visible.length > 0 ? visible : sheets;
}

type Workbook = { strings: string[]; formats: CellFormat[]; since1904: boolean };

async function workbookOf(zip: ZipArchive): Promise<Workbook & { sheets: Sheet[] }> {
  const main = await mainPartOf(zip);
  const relations = await relationsOf(zip, main);
  const partOf = (kind: string) => relations.find((relation) => relation.kind === kind)?.part;
  // Each part is read as one sheet. Otherwise a part that is referred to a thousand times would be
  // read a thousand times.
  const worksheets = new Map(
    oncePerPart(relations.filter(({ kind }) => kind === 'worksheet')).map(({ id, part }) => [
      id,
      part,
    ]),
  );
  const sheets: Sheet[] = [];
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
      if (part !== undefined)
        sheets.push({
          name: attributeOf(attributes, 'name') ?? '',
          part,
          isHidden: /hidden/i.test(attributeOf(attributes, 'state') ?? ''),
        });
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

type SheetContext = Workbook & { textUnitsMax: number; notices: NoticeCounts | undefined };

/**
 * Yields the non-empty cells of each row. Formulas have the value that was last calculated; files
 * that a program has generated can have none.
 */
async function* rowsOf(
  zip: ZipArchive,
  part: string,
  { strings, formats, since1904, textUnitsMax, notices }: SheetContext,
) {
  const merged = await mergedCellsOf(zip, part);
  let cells: SheetCell[] = [];
  let reference = '';
  let units = 0;
  let column = 0;
  let kind = '';
  let format: CellFormat = 'number';
  let value = '';
  let isFormula = false;
  let isInValue = false;
  let isPhonetic = false;

  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type === 'text') {
        if (isInValue && !isPhonetic) value += event.text;
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
        reference = attributes['r'] ?? '';
        column = columnOf(reference) ?? column + 1;
        kind = attributes['t'] ?? 'n';
        format = formats[Number(attributes['s'] ?? 0)] ?? 'number';
        value = '';
        isFormula = false;
      } else if (name === 'f') {
        isFormula = true;
      } else if (name === 'v' || name === 't') {
        isInValue = type === 'open';
      } else if (name === 'rPh') {
        isPhonetic = type === 'open';
      } else if (name === 'c') {
        if (isFormula && value === '' && kind !== 'str')
          addNotice(notices, 'FORMULAS_WITHOUT_RESULT');
        const text = cellTextOf({ kind, value, format, strings, since1904 });
        // Counted, because many cells of one row can refer to the same long text.
        units += text.length;
        if (units > textUnitsMax) throw new ExtractError('TOO_LARGE_TEXT');
        if (text !== '')
          cells.push({
            column,
            text,
            isText: kind === 's' || kind === 'str' || kind === 'inlineStr',
            ...merged.get(reference),
          });
      }
    }
  }
}

/** Converts a cell reference: 'AB12' is in column 28. */
function columnOf(reference: string | undefined) {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
  return letters === undefined ? undefined : columnNumberOf(letters);
}
