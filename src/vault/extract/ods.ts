import { addNotice, type ExtractContext, type TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { requireReadable } from './odt.ts';
import { packedDocument } from './packed-document.ts';
import { createRowFormatter, type SheetCell } from './sheet-rows.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/**
 * Reads an OpenDocument spreadsheet: each sheet is a page with its name as the heading. Each row is
 * one block, with the header of the column before every value. Values are as the sheet shows them.
 */
export const readOds = packedDocument(
  async function* (zip, context) {
    await requireReadable(zip);
    yield* blocksOf(zip, context);
  },
  { canBeFlat: true },
);

type Attributes = Record<string, string>;
type OpenCell = { text: string; comment: string; attributes: Attributes };

// A row of one value repeated over the whole sheet is a filling.
const repeatedCellsMax = 64;
const skippedElements = new Set(['ruby-text', 'creator', 'date', 'shapes', 'forms', 'binary-data']);

async function* blocksOf(
  zip: ZipArchive,
  { pagesMax, textUnitsMax, notices }: ExtractContext,
): AsyncGenerator<TextBlock> {
  const hiddenStyles = new Set<string>();
  let styleName = '';
  let page = 0;
  let sheet: ReturnType<typeof createSheet> | undefined;
  let depth = 0;
  let skippedDepth = 0;
  let cell: OpenCell | undefined;
  let isInParagraph = false;
  let isInComment = false;
  const write = (text: string) => {
    if (!cell || !isInParagraph) return;
    if (isInComment) cell.comment += text;
    else cell.text += text;
  };

  for await (const events of xmlEvents(zip.read('content.xml'))) {
    for (const event of events) {
      if (event.type === 'text') {
        if (skippedDepth === 0) write(event.text);
        continue;
      }
      const { type, name } = event;
      const isOpen = type === 'open';
      const attributes = isOpen ? event.attributes : {};
      if (skippedElements.has(name)) skippedDepth += isOpen ? 1 : -1;
      if (skippedDepth > 0) continue;
      if (name === 'style' && isOpen) styleName = attributeOf(attributes, 'name') ?? '';
      else if (name === 'table-properties' && attributeOf(attributes, 'display') === 'false')
        hiddenStyles.add(styleName);
      else if (name === 'table') {
        depth += isOpen ? 1 : -1;
        if (isOpen && depth === 1) {
          const isHidden = hiddenStyles.has(attributeOf(attributes, 'style-name') ?? '');
          if (isHidden) addNotice(notices, 'SHEETS_HIDDEN');
          else if (++page > pagesMax) return;
          sheet = isHidden
            ? undefined
            : createSheet(attributeOf(attributes, 'name') ?? '', page, textUnitsMax);
        } else if (depth === 0 && sheet) {
          yield* sheet.comments();
          sheet = undefined;
        }
      }
      if (!sheet) continue;
      if (name === 'table-row') {
        if (isOpen) sheet.openRow();
        else yield* sheet.closeRow();
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        if (isOpen) cell = { text: '', comment: '', attributes };
        else if (cell) {
          sheet.add(cell, name === 'covered-table-cell');
          cell = undefined;
        }
      } else if (name === 'annotation') isInComment = isOpen;
      else if (name === 'p') {
        isInParagraph = true;
        write(' ');
        isInParagraph = isOpen;
      } else if (isOpen && (name === 's' || name === 'tab' || name === 'line-break')) write(' ');
    }
  }
}

/** Collects the rows of a sheet. */
function createSheet(name: string, page: number, textUnitsMax: number) {
  const textOfRow = createRowFormatter();
  const comments: string[] = [];
  let cells: SheetCell[] = [];
  let rows = 0;
  let row = 0;
  let column = 0;
  // Counted, because a value that is repeated is written once in the file.
  let units = 0;

  return {
    openRow() {
      cells = [];
      column = 0;
      units = 0;
      row += 1;
    },
    add({ text, comment, attributes }: OpenCell, isCovered: boolean) {
      const repeated = Math.max(
        1,
        Math.trunc(Number(attributeOf(attributes, repeatedColumns))) || 1,
      );
      const shown = text.replaceAll(/\s+/g, ' ').trim() || (plainValueOf(attributes) ?? '');
      const isText = attributeOf(attributes, 'value-type') === 'string';
      const note = comment.replaceAll(/\s+/g, ' ').trim();
      if (note !== '') comments.push(`${name}, ${columnName(column + 1)}${row}: ${note}`);
      const spans = { columns: spanOf(attributes, 'columns'), rows: spanOf(attributes, 'rows') };
      if (shown !== '' && !isCovered)
        for (let nth = 1; nth <= Math.min(repeated, repeatedCellsMax); nth += 1)
          cells.push({ column: column + nth, text: shown, isText, ...spans });
      units += (shown.length + note.length) * Math.min(repeated, repeatedCellsMax);
      if (units > textUnitsMax) throw new ExtractError('TOO_LARGE_TEXT');
      column += repeated;
    },
    *closeRow(): Generator<TextBlock> {
      if (cells.length === 0) return;
      if (rows === 0) yield { kind: 'heading', level: 1, text: name, page };
      yield { kind: 'row', text: textOfRow(cells), page, ...(rows > 0 && { separator: '\n' }) };
      rows += 1;
    },
    *comments(): Generator<TextBlock> {
      for (const text of comments) yield { kind: 'paragraph', text, page };
    },
  };
}

const repeatedColumns = 'number-columns-repeated';

const spannedMax = 200;
const spanOf = (attributes: Attributes, direction: 'columns' | 'rows'): number => {
  const span = Math.trunc(Number(attributeOf(attributes, `number-${direction}-spanned`)));
  return span >= 1 && span <= spannedMax ? span : 1;
};

/** The value of a cell that some programs write without the text that is shown. */
const plainValueOf = (attributes: Attributes) =>
  ['string-value', 'date-value', 'time-value', 'boolean-value', 'value']
    .map((name) => attributeOf(attributes, name))
    .find((value) => value !== undefined);

/** The letters of a column: 28 is AB. */
function columnName(column: number): string {
  let name = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name;
  return name;
}
