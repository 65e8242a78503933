import type { TextBlock } from './block.ts';
import { headingLevelsOf } from './docx-styles.ts';
import { packedDocument } from './packed-document.ts';
import { mainPartOf, relationsOf } from './relations.ts';
import { createTables } from './tables.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/**
 * Reads Word documents. Parts are read as streams, because the tree of a long document takes many
 * times its size in memory. Headers and footers are skipped, because they repeat on every page.
 * Footnotes and endnotes come last.
 */
export const readDocx = packedDocument(async function* (zip) {
  const main = await mainPartOf(zip);
  const relations = await relationsOf(zip, main);
  const partOf = (kind: string) => relations.find((relation) => relation.kind === kind)?.part;
  const levels = await headingLevelsOf(zip, partOf('styles'));
  yield* blocksOf(zip, main, levels);
  for (const notes of [partOf('footnotes'), partOf('endnotes')])
    if (notes) yield* blocksOf(zip, notes, levels);
});

type DocxParagraph = { text: string; level?: number | undefined; isListItem: boolean };

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
  levels: Map<string, number>,
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
        else if (name === 'p') paragraphs.push({ text: '', isListItem: false });
        else if (name === 'tbl') tables.open();
        else if (name === 'tr') tables.openRow();
        else if (name === 'tc') tables.openCell();
        else if (paragraph) applyElement(paragraph, name, event.attributes, levels);
      } else if (name === 't') {
        inText = false;
      } else if (name === 'p' && paragraph) {
        paragraphs.pop();
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

function blockOf({ text, level, isListItem }: DocxParagraph, isAfterListItem: boolean): TextBlock {
  if (level) return { kind: 'heading', level, text };
  return { kind: 'paragraph', text, ...(isListItem && isAfterListItem && { separator: '\n' }) };
}

function applyElement(
  paragraph: DocxParagraph,
  name: string,
  attributes: Record<string, string>,
  levels: Map<string, number>,
) {
  const value = attributeOf(attributes, 'val') ?? '';
  if (name === 'tab') paragraph.text += '\t';
  else if (name === 'br' || name === 'cr') paragraph.text += '\n';
  else if (name === 'noBreakHyphen') paragraph.text += '-';
  else if (name === 'pStyle') paragraph.level ??= levels.get(value);
  else if (name === 'outlineLvl' && Number(value) < 9)
    paragraph.level = Math.min(Number(value) + 1, 6);
  else if (name === 'numPr') paragraph.isListItem = true;
}
