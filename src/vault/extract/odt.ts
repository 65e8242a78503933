import type { Block } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { packedDocument } from './packed-document.ts';
import { createTables } from './tables.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { Zip } from './zip.ts';

/** OpenDocument text. Footnotes follow the paragraph that refers to them. */
export const readOdt = packedDocument(async function* (zip) {
  if (await isEncrypted(zip)) throw new ExtractError('ENCRYPTED');
  yield* blocksOf(zip);
});

async function isEncrypted(zip: Zip) {
  if (!zip.has('META-INF/manifest.xml')) return false;
  for await (const events of xmlEvents(zip.read('META-INF/manifest.xml'))) {
    if (events.some((event) => event.type === 'open' && event.name === 'encryption-data'))
      return true;
  }
  return false;
}

type Paragraph = Pick<Block, 'kind' | 'text' | 'level'>;

/**
 * Text that was deleted, remarks, the number of a footnote, titles and descriptions of pictures.
 */
const skipped = new Set([
  'tracked-changes',
  'annotation',
  'note-citation',
  'title',
  'desc',
  'forms',
]);

async function* blocksOf(zip: Zip): AsyncGenerator<Block> {
  // Paragraphs stand in paragraphs: those of notes and frames, which wait until the one around them
  // is over.
  const paragraphs: Paragraph[] = [];
  let waiting: Paragraph[] = [];
  const tables = createTables();
  let skipping = 0;
  let lists = 0;
  let afterListed = false;

  for await (const events of xmlEvents(zip.read('content.xml'))) {
    for (const event of events) {
      const paragraph = paragraphs.at(-1);
      if (event.type === 'text') {
        if (paragraph && skipping === 0)
          paragraph.text += event.text.replaceAll(/[ \t\r\n]+/g, ' ');
        continue;
      }
      const { type, name } = event;
      if (skipped.has(name)) skipping += type === 'open' ? 1 : -1;
      if (skipping > 0) continue;
      if (type === 'open') {
        if (name === 'h')
          paragraphs.push({ kind: 'heading', text: '', level: levelOf(event.attributes) });
        else if (name === 'p') paragraphs.push({ kind: 'paragraph', text: '' });
        else if (name === 'list') lists += 1;
        else if (name === 'table') tables.open();
        else if (name === 'table-row') tables.openRow();
        else if (name === 'table-cell') tables.openCell();
        else if (paragraph) paragraph.text += spacingOf(name, event.attributes);
      } else if ((name === 'h' || name === 'p') && paragraph) {
        paragraphs.pop();
        if (tables.take(paragraph.text)) continue;
        if (paragraphs.length > 0) {
          waiting.push(paragraph);
          continue;
        }
        for (const whole of [paragraph, ...waiting]) {
          if (whole.text.trim() === '') continue;
          const listed = lists > 0 && whole === paragraph && whole.kind === 'paragraph';
          yield { ...whole, ...(listed && afterListed && { joint: '\n' }) };
          afterListed = listed;
        }
        waiting = [];
      } else if (name === 'list') {
        lists -= 1;
      } else if (name === 'table-cell') {
        tables.closeCell();
      } else if (name === 'table-row') {
        const row = tables.closeRow();
        if (row) yield row;
        afterListed = false;
      } else if (name === 'table') {
        tables.close();
      }
    }
  }
}

const levelOf = (attributes: Record<string, string>) =>
  Math.min(Math.max(Math.trunc(Number(attributeOf(attributes, 'outline-level') ?? 1)) || 1, 1), 6);

/** Runs of spaces, tabs and line ends are elements; as characters they count as one space. */
function spacingOf(name: string, attributes: Record<string, string>) {
  if (name === 'tab') return '\t';
  if (name === 'line-break') return '\n';
  if (name !== 's') return '';
  return ' '.repeat(
    Math.min(Math.max(Math.trunc(Number(attributeOf(attributes, 'c') ?? 1)) || 1, 1), 100),
  );
}
