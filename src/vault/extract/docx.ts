import type { TextBlock } from './block.ts';
import { listNumbersOf, type NextListNumber } from './docx-numbering.ts';
import { type DocxStyles, docxStylesOf } from './docx-styles.ts';
import { inBrackets } from './formula.ts';
import { packedDocument } from './packed-document.ts';
import { mainPartOf, oncePerPart, relationsOf } from './relations.ts';
import { createTables } from './tables.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/**
 * Reads Word documents. Parts are read as streams, because the tree of a long document takes many
 * times its size in memory. Footnotes and endnotes come after the text, and headers last, each
 * different line once. Footers are skipped: they have little but the number of the page. So is the
 * table of contents: it repeats the headings.
 */
export const readDocx = packedDocument(async function* (zip) {
  const main = await mainPartOf(zip);
  const relations = await relationsOf(zip, main);
  const partOf = (kind: string) => relations.find((relation) => relation.kind === kind)?.part;
  const styles = await docxStylesOf(zip, partOf('styles'));
  const nextListNumber = await listNumbersOf(zip, partOf('numbering'));
  const context = { styles, nextListNumber };
  yield* blocksOf(zip, main, context);
  for (const notes of [partOf('footnotes'), partOf('endnotes')])
    if (notes) yield* blocksOf(zip, notes, context);
  const headers = oncePerPart(relations.filter(({ kind }) => kind === 'header'));
  const headerTexts = new Set<string>();
  for (const { part } of headers)
    for await (const block of blocksOf(zip, part, context)) {
      if (headerTexts.has(block.text)) continue;
      headerTexts.add(block.text);
      yield { kind: 'paragraph', text: block.text };
    }
});

type DocxContext = { styles: DocxStyles; nextListNumber: NextListNumber };
type DocxParagraph = {
  text: string;
  level?: number | undefined;
  isListItem: boolean;
  isContents: boolean;
  numberingId: string;
  listLevel: number;
  /** Where the open parts of formulas begin in the text. */
  formulaStarts: number[];
};

/** What stands before the parts of a formula; without it one half would be the number 12. */
const formulaSigns: ReadonlyMap<string, string> = new Map([
  ['num', ''],
  ['den', '/'],
  ['sup', '^'],
  ['sub', '_'],
  ['deg', ''],
  ['rad', ''],
]);

/**
 * Elements that are not part of the document's text: deleted and moved text, fallbacks for older
 * programs, pronunciation, properties.
 */
const skippedElements = new Set([
  'del',
  'moveFrom',
  'Fallback',
  'rt',
  'rPr',
  'tabs',
  'pPrChange',
  'sectPr',
]);

async function* blocksOf(
  zip: ZipArchive,
  part: string,
  { styles, nextListNumber }: DocxContext,
): AsyncGenerator<TextBlock> {
  // A stack, because text boxes contain paragraphs inside paragraphs.
  const paragraphs: DocxParagraph[] = [];
  const tables = createTables();
  let skippedDepth = 0;
  let inText = false;
  let isAfterListItem = false;

  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      const paragraph = paragraphs.at(-1);
      if (event.type === 'text') {
        if (inText && skippedDepth === 0 && paragraph) paragraph.text += event.text;
        continue;
      }
      const { type, name } = event;
      if (skippedElements.has(name)) skippedDepth += type === 'open' ? 1 : -1;
      if (skippedDepth > 0) continue;
      if (type === 'open') {
        if (name === 't') inText = true;
        else if (name === 'p')
          paragraphs.push({
            text: '',
            isListItem: false,
            isContents: false,
            numberingId: '',
            listLevel: 0,
            formulaStarts: [],
          });
        else if (name === 'tbl') tables.open();
        else if (name === 'tr') tables.openRow();
        else if (name === 'tc') tables.openCell();
        else if (paragraph && formulaSigns.has(name))
          paragraph.formulaStarts.push(paragraph.text.length);
        else if (paragraph) applyElement(paragraph, name, event.attributes, styles);
      } else if (name === 't') {
        inText = false;
      } else if (formulaSigns.has(name)) {
        if (paragraph) endFormulaPart(paragraph, name);
      } else if (name === 'p' && paragraph) {
        paragraphs.pop();
        if (paragraph.isContents) continue;
        if (paragraph.isListItem && paragraph.text.trim() !== '') {
          const number = nextListNumber(paragraph.numberingId, paragraph.listLevel);
          if (number !== '') paragraph.text = `${number} ${paragraph.text}`;
        }
        if (tables.take(paragraph.text) || paragraph.text.trim() === '') continue;
        yield blockOf(paragraph, isAfterListItem);
        isAfterListItem = paragraph.isListItem;
      } else if (name === 'tc') {
        tables.closeCell();
      } else if (name === 'tr') {
        const row = tables.closeRow();
        if (row) yield row;
        isAfterListItem = false;
      } else if (name === 'tbl') {
        tables.close();
      }
    }
  }
}

function endFormulaPart(paragraph: DocxParagraph, name: string): void {
  const start = paragraph.formulaStarts.pop() ?? paragraph.text.length;
  const before = paragraph.text.slice(0, start);
  const part = paragraph.text.slice(start);
  if (name === 'deg') paragraph.text = `${before}${part}√`;
  else if (name === 'rad') {
    const [, degree = '', content = ''] = /^([^√]*)√(.*)$/s.exec(part) ?? ['', '', part];
    paragraph.text = `${before}${degree}√(${content})`;
  } else if (part.trim() !== '')
    paragraph.text = `${before}${formulaSigns.get(name) ?? ''}${inBrackets(part)}`;
}

function blockOf({ text, level, isListItem }: DocxParagraph, isAfterListItem: boolean): TextBlock {
  if (level) return { kind: 'heading', level, text };
  return { kind: 'paragraph', text, ...(isListItem && isAfterListItem && { separator: '\n' }) };
}

function applyElement(
  paragraph: DocxParagraph,
  name: string,
  attributes: Record<string, string>,
  { levels, contents }: DocxStyles,
) {
  const value = attributeOf(attributes, 'val') ?? '';
  if (name === 'tab') paragraph.text += '\t';
  else if (name === 'br' || name === 'cr') paragraph.text += '\n';
  else if (name === 'noBreakHyphen') paragraph.text += '-';
  else if (name === 'pStyle') {
    paragraph.level ??= levels.get(value);
    paragraph.isContents ||= contents.has(value);
  } else if (name === 'outlineLvl' && Number(value) < 9)
    paragraph.level = Math.min(Number(value) + 1, 6);
  else if (name === 'numPr') paragraph.isListItem = true;
  else if (name === 'numId') paragraph.numberingId = value;
  else if (name === 'ilvl') paragraph.listLevel = Math.trunc(Number(value)) || 0;
}
