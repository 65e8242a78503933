import type { Block } from './block.ts';
import { createTables } from './tables.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { Zip } from './zip.ts';

type DrawingText = {
  /** What the title shapes say, lines joined. */
  title: string;
  /** Everything else in the order of the part: paragraphs, and rows of tables. */
  blocks: Block[];
};

/** Shapes that repeat on every slide, and the picture of the slide among the notes. */
const repeated = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const titles = new Set(['title', 'ctrTitle']);

/**
 * The text of a slide, of its notes or of a diagram on it: all are drawings with the same
 * paragraphs and tables.
 */
export async function drawingTextOf(zip: Zip, part: string): Promise<DrawingText> {
  const title: string[] = [];
  const blocks: Block[] = [];
  const tables = createTables();
  let shape = '';
  let paragraph = '';
  let inText = false;
  let fallback = 0;

  for await (const events of xmlEvents(zip.read(part))) {
    for (const event of events) {
      if (event.type === 'text') {
        if (inText && fallback === 0) paragraph += event.text;
        continue;
      }
      const { type, name } = event;
      if (name === 'Fallback') fallback += type === 'open' ? 1 : -1;
      if (fallback > 0) continue;
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
        if (titles.has(shape)) title.push(paragraph);
        else if (!repeated.has(shape) && paragraph.trim() !== '')
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
