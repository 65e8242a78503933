import type { Block } from './block.ts';
import { headingLevelsOf } from './docx-styles.ts';
import { packedDocument } from './packed-document.ts';
import { mainPartOf, relationsOf } from './relations.ts';
import { createTables } from './tables.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { Zip } from './zip.ts';

/**
 * Word. Read as a stream, part by part, for the tree of a long document takes many times its size
 * in memory. Headers and footers are left out, for they say the same on every page; notes come at
 * the end.
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

type Paragraph = { text: string; level?: number | undefined; listed: boolean };

/**
 * What is not the document's text: deleted and moved text, what older programs see instead, how a
 * character is said, earlier settings.
 */
const skipped = new Set([
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
  zip: Zip,
  part: string,
  levels: Map<string, number>,
): AsyncGenerator<Block> {
  // Paragraphs stand in paragraphs: those of text boxes.
  const paragraphs: Paragraph[] = [];
  const tables = createTables();
  let skipping = 0;
  let inText = false;
  let afterListed = false;

  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      const paragraph = paragraphs.at(-1);
      if (event.type === 'text') {
        if (inText && skipping === 0 && paragraph) paragraph.text += event.text;
        continue;
      }
      const { type, name } = event;
      if (skipped.has(name)) skipping += type === 'open' ? 1 : -1;
      if (skipping > 0) continue;
      if (type === 'open') {
        if (name === 't') inText = true;
        else if (name === 'p') paragraphs.push({ text: '', listed: false });
        else if (name === 'tbl') tables.open();
        else if (name === 'tr') tables.openRow();
        else if (name === 'tc') tables.openCell();
        else if (paragraph) describe(paragraph, name, event.attributes, levels);
      } else if (name === 't') {
        inText = false;
      } else if (name === 'p' && paragraph) {
        paragraphs.pop();
        if (tables.take(paragraph.text) || paragraph.text.trim() === '') continue;
        yield blockOf(paragraph, afterListed);
        afterListed = paragraph.listed;
      } else if (name === 'tc') {
        tables.closeCell();
      } else if (name === 'tr') {
        const row = tables.closeRow();
        if (row) yield row;
        afterListed = false;
      } else if (name === 'tbl') {
        tables.close();
      }
    }
  }
}

function blockOf({ text, level, listed }: Paragraph, afterListed: boolean): Block {
  if (level) return { kind: 'heading', level, text };
  return { kind: 'paragraph', text, ...(listed && afterListed && { joint: '\n' }) };
}

function describe(
  paragraph: Paragraph,
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
  else if (name === 'numPr') paragraph.listed = true;
}
