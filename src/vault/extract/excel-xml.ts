import { createReadStream } from 'node:fs';
import { addNotice, type TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { normalizeBlocks } from './normalize-blocks.ts';
import { createRowFormatter, type SheetCell } from './sheet-rows.ts';
import { attributeOf, xmlEvents } from './xml.ts';

const bookStart =
  /^\s*(?:(?:<\?[^>]{0,500}\?>|<!--(?:(?!-->)[\s\S]){0,5000}-->)\s*)*<(?:\w{1,20}:)?Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet/;

/** Whether a text begins as a workbook that Excel 2003 saved as XML. */
export const isExcelXml = (head: string): boolean => bookStart.test(head);

const spanMax = 200;

/**
 * Reads a workbook of Excel 2003 in one XML text, as the other spreadsheets are read: each sheet is
 * a page with its name as the heading, and each row has the header of the column before every
 * value. A sheet says at its end whether it is hidden, so its rows are kept until then.
 */
export const readExcelXml = normalizeBlocks(async function* (
  { path },
  { pagesMax, textUnitsMax, notices },
): AsyncGenerator<TextBlock> {
  let page = 0;
  let units = 0;
  let sheet = createSheet('');
  let isInData = false;
  let isInVisible = false;
  for await (const events of xmlEvents(createReadStream(path))) {
    for (const event of events) {
      if (event.type === 'text') {
        if (isInVisible) sheet.visibility += event.text;
        else if (isInData) sheet.write(event.text);
        units += isInData ? event.text.length : 0;
        if (units > textUnitsMax) throw new ExtractError('TOO_LARGE_TEXT');
        continue;
      }
      const isOpen = event.type === 'open';
      const attributes = isOpen ? event.attributes : {};
      if (event.name === 'Worksheet' && isOpen) sheet = createSheet(nameOf(attributes));
      else if (event.name === 'Worksheet') {
        if (/^SheetHidden|^SheetVeryHidden/.test(sheet.visibility.trim()))
          addNotice(notices, 'SHEETS_HIDDEN');
        else if (++page > pagesMax) return;
        else yield* sheet.blocks(page);
      } else if (event.name === 'Row') {
        if (isOpen) sheet.openRow();
        else sheet.closeRow();
      } else if (event.name === 'Cell' && isOpen) sheet.openCell(attributes);
      else if (event.name === 'Cell') sheet.closeCell();
      else if (event.name === 'Data') {
        isInData = isOpen;
        if (isOpen) sheet.openData(attributeOf(attributes, 'Type') ?? '');
      } else if (event.name === 'Comment') sheet.isInComment = isOpen;
      else if (event.name === 'Visible') isInVisible = isOpen;
    }
  }
});

type Attributes = Record<string, string>;

const nameOf = (attributes: Attributes) => attributeOf(attributes, 'Name') ?? '';

function createSheet(name: string) {
  const textOfRow = createRowFormatter();
  const rows: string[] = [];
  let cells: SheetCell[] = [];
  let cell: SheetCell = { column: 0, text: '', isText: true };
  return {
    /** The text of the element that says whether the sheet is shown. */
    visibility: '',
    /** Comments are not read. */
    isInComment: false,
    openRow() {
      cells = [];
      cell = { column: 0, text: '', isText: true };
    },
    openCell(attributes: Attributes) {
      const next = cell.column + (cell.columns ?? 1);
      cell = {
        column: numberIn(attributes, 'Index') || (cell.column === 0 ? 1 : next),
        text: '',
        isText: true,
        columns: Math.min(numberIn(attributes, 'MergeAcross') + 1, spanMax),
        rows: Math.min(numberIn(attributes, 'MergeDown') + 1, spanMax),
      };
    },
    openData(type: string) {
      if (!this.isInComment) cell.isText = type === 'String';
    },
    write(text: string) {
      if (!this.isInComment) cell.text += text;
    },
    closeCell() {
      const text = shownText(cell);
      if (text !== '') cells.push({ ...cell, text });
    },
    closeRow() {
      if (cells.length > 0) rows.push(textOfRow(cells));
    },
    *blocks(page: number): Generator<TextBlock> {
      if (rows.length === 0) return;
      yield { kind: 'heading', level: 1, text: name, page };
      for (const [index, text] of rows.entries())
        yield { kind: 'row', text, page, ...(index > 0 && { separator: '\n' }) };
    },
  };
}

/** A date is written with the time of its beginning. */
const shownText = ({ text, isText }: SheetCell): string => {
  const shown = text.replaceAll(/\s+/g, ' ').trim();
  return isText ? shown : shown.replace(/^(\d{4}-\d\d-\d\d)T00:00:00(?:\.000)?$/, '$1');
};

const numberIn = (attributes: Attributes, name: string): number =>
  Math.max(0, Math.trunc(Number(attributeOf(attributes, name) ?? 0)) || 0);
