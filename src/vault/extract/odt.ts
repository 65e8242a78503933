import type { TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { readFormula } from './formula.ts';
import { packedDocument } from './packed-document.ts';
import { createTables } from './tables.ts';
import { attributeOf, xmlEvents } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/**
 * Reads OpenDocument text and presentations. Footnotes follow the paragraph that refers to them,
 * and formulas are part of their paragraph. Each slide is a page, with its title as a heading and its notes at the end.
 */
export const readOdt = packedDocument(
  async function* (zip, { pagesMax }) {
    await requireReadable(zip);
    yield* blocksOf(zip, pagesMax);
  },
  { canBeFlat: true },
);

/** Refuses an OpenDocument file with a password. */
export async function requireReadable(zip: ZipArchive): Promise<void> {
  if (!zip.has('META-INF/manifest.xml')) return;
  for await (const events of xmlEvents(zip.read('META-INF/manifest.xml'))) {
    if (events.some((event) => event.type === 'open' && event.name === 'encryption-data'))
      throw new ExtractError('ENCRYPTED');
  }
}

type OdtParagraph = Pick<TextBlock, 'kind' | 'text' | 'level'>;

/**
 * Elements that are not part of the document's text: deleted text, comments, footnote numbers,
 * titles and descriptions of images, the table of contents.
 */
const skippedElements = new Set([
  'tracked-changes',
  'annotation',
  'note-citation',
  'title',
  'desc',
  'forms',
  'table-of-content',
  // In a document of one XML text: headers and footers, and images.
  'master-styles',
  'binary-data',
]);

async function* blocksOf(zip: ZipArchive, pagesMax: number): AsyncGenerator<TextBlock> {
  // A stack, because notes and frames contain paragraphs inside paragraphs. Inner paragraphs are
  // yielded after the outer one.
  const paragraphs: OdtParagraph[] = [];
  let innerParagraphs: OdtParagraph[] = [];
  const tables = createTables();
  const formulas = createFormulaReader(zip);
  let skippedDepth = 0;
  let listDepth = 0;
  let isAfterListItem = false;
  let page: number | undefined;
  let isInTitle = false;

  for await (const events of xmlEvents(zip.read('content.xml'))) {
    for (const event of events) {
      const paragraph = paragraphs.at(-1);
      if (event.type === 'text') {
        if (paragraph && skippedDepth === 0)
          paragraph.text += event.text.replaceAll(/[ \t\r\n]+/g, ' ');
        continue;
      }
      const { type, name } = event;
      if (skippedElements.has(name)) skippedDepth += type === 'open' ? 1 : -1;
      if (skippedDepth > 0) continue;
      if (type === 'open') {
        if (name === 'h')
          paragraphs.push({ kind: 'heading', text: '', level: levelOf(event.attributes) });
        else if (name === 'p')
          paragraphs.push(
            isInTitle ? { kind: 'heading', level: 1, text: '' } : { kind: 'paragraph', text: '' },
          );
        else if (name === 'page') {
          page = (page ?? 0) + 1;
          if (page > pagesMax) return;
        } else if (name === 'frame') isInTitle = attributeOf(event.attributes, 'class') === 'title';
        else if (name === 'list') listDepth += 1;
        else if (name === 'table') tables.open();
        else if (name === 'table-row') tables.openRow();
        else if (name === 'table-cell') tables.openCell();
        else if (name === 'object' && paragraph)
          paragraph.text += await formulas(attributeOf(event.attributes, 'href') ?? '');
        else if (paragraph) paragraph.text += spacingOf(name, event.attributes);
      } else if ((name === 'h' || name === 'p') && paragraph) {
        paragraphs.pop();
        if (tables.take(paragraph.text)) continue;
        if (paragraphs.length > 0) {
          innerParagraphs.push(paragraph);
          continue;
        }
        for (const block of [paragraph, ...innerParagraphs]) {
          if (block.text.trim() === '') continue;
          const isListItem = listDepth > 0 && block === paragraph && block.kind === 'paragraph';
          yield {
            ...block,
            ...(page !== undefined && { page }),
            ...(isListItem && isAfterListItem && { separator: '\n' }),
          };
          isAfterListItem = isListItem;
        }
        innerParagraphs = [];
      } else if (name === 'frame') {
        isInTitle = false;
      } else if (name === 'list') {
        listDepth -= 1;
      } else if (name === 'table-cell') {
        tables.closeCell();
      } else if (name === 'table-row') {
        const row = tables.closeRow();
        if (row) yield { ...row, ...(page !== undefined && { page }) };
        isAfterListItem = false;
      } else if (name === 'table') {
        tables.close();
      }
    }
  }
}

/** Reads each embedded formula once, however often the text refers to it. */
function createFormulaReader(zip: ZipArchive) {
  const texts = new Map<string, string>();
  return async (reference: string): Promise<string> => {
    const part = `${reference.replace(/^\.\//, '').replace(/\/$/, '')}/content.xml`;
    const text = texts.get(part) ?? (await readFormula(zip, part)) ?? '';
    texts.set(part, text);
    return text;
  };
}

const levelOf = (attributes: Record<string, string>) =>
  Math.min(Math.max(Math.trunc(Number(attributeOf(attributes, 'outline-level') ?? 1)) || 1, 1), 6);

/**
 * Multiple spaces, tabs and line breaks are elements. As literal characters they count as one
 * space.
 */
function spacingOf(name: string, attributes: Record<string, string>) {
  if (name === 'tab') return '\t';
  if (name === 'line-break') return '\n';
  if (name !== 's') return '';
  return ' '.repeat(
    Math.min(Math.max(Math.trunc(Number(attributeOf(attributes, 'c') ?? 1)) || 1, 1), 100),
  );
}
