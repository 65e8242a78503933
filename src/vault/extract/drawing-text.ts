import type { TextBlock } from './block.ts';
import { createTables } from './tables.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

type DrawingText = {
  /** The text of the title shapes, joined with spaces. */
  title: string;
  /** All other text in document order: paragraphs and table rows. */
  blocks: TextBlock[];
};

/** Shapes that repeat on every slide, and the image of the slide on its notes page. */
const repeatedShapes = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const titleShapes = new Set(['title', 'ctrTitle']);

/**
 * Reads the text of a slide, of its notes or of a diagram. All of them are drawings with the same
 * paragraph and table elements.
 */
export async function drawingTextOf(zip: ZipArchive, part: string): Promise<DrawingText> {
  const title: string[] = [];
  const blocks: TextBlock[] = [];
  const tables = createTables();
  let shape = '';
  let paragraph = '';
  let inText = false;
  let fallbackDepth = 0;

  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type === 'text') {
        if (inText && fallbackDepth === 0) paragraph += event.text;
        continue;
      }
      const { type, name } = event;
      if (name === 'Fallback') fallbackDepth += type === 'open' ? 1 : -1;
      if (fallbackDepth > 0) continue;
      if (type === 'open') {
        if (name === 't') inText = true;
        else if (name === 'sp') shape = '';
        else if (name === 'ph') shape = attributeOf(event.attributes, 'type') ?? 'body';
        else if (name === 'p') paragraph = '';
        else if (name === 'br') paragraph += '\n';
        else if (name === 'tbl') tables.open();
        else if (name === 'tr') tables.openRow();
        else if (name === 'tc') tables.openCell();
      } else if (name === 't') {
        inText = false;
      } else if (name === 'sp') {
        shape = '';
      } else if (name === 'p') {
        if (tables.take(paragraph)) continue;
        if (titleShapes.has(shape)) title.push(paragraph);
        else if (!repeatedShapes.has(shape) && paragraph.trim() !== '')
          blocks.push({ kind: 'paragraph', text: paragraph });
      } else if (name === 'tc') {
        tables.closeCell();
      } else if (name === 'tr') {
        const row = tables.closeRow();
        if (row) blocks.push(row);
      } else if (name === 'tbl') {
        tables.close();
      }
    }
  }
  return { title: title.join(' ').replaceAll(/\s+/g, ' ').trim(), blocks };
}
