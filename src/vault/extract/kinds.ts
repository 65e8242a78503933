import { surrogateSafeOffset } from '../text-measure.ts';
import {
  blockUnitsMax,
  type ExtractContext,
  type Extractor,
  type SourceFile,
  type TextBlock,
} from './block.ts';
import { type DetectedFile, type FileKind, sniff } from './sniff.ts';
import { withoutContents } from './table-of-contents.ts';
import { readText } from './text.ts';
import { cleanText, textOf } from './text-stream.ts';

type TextReader = (pieces: AsyncIterable<string>) => AsyncGenerator<TextBlock>;

/** The nesting depth of messages in messages. Of deeper attachments only the names are kept. */
const depthMax = 2;

// Extractors are loaded on demand, so that a process that reads one document starts faster.
const extractors: Partial<Record<FileKind, () => Promise<Extractor>>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  odt: async () => (await import('./odt.ts')).readOdt,
  odp: async () => (await import('./odt.ts')).readOdt,
  ods: async () => (await import('./ods.ts')).readOds,
  'excel-xml': async () => (await import('./excel-xml.ts')).readExcelXml,
  rtf: async () => (await import('./rtf.ts')).readRtf,
  epub: async () => (await import('./epub.ts')).readEpub,
  png: async () => (await import('./ocr/image.ts')).readImage,
  jpeg: async () => (await import('./ocr/image.ts')).readImage,
  webp: async () => (await import('./ocr/image.ts')).readImage,
  tiff: async () => (await import('./ocr/image.ts')).readTiff,
};

const textReaders: Partial<Record<FileKind, () => Promise<TextReader>>> = {
  html: async () => (await import('./html.ts')).readHtml,
  markdown: async () => (await import('./markdown.ts')).readMarkdown,
  csv: async () => (await import('./csv.ts')).readCsv,
  json: async () => (await import('./json.ts')).readJson,
};

/** Reads the blocks of a file of a known kind. */
export async function* readBlocks(
  { kind, encoding }: DetectedFile,
  source: SourceFile,
  context: ExtractContext,
  depth = 0,
): AsyncGenerator<TextBlock> {
  const extractor = await extractors[kind]?.();
  if (extractor) return yield* withoutContents(extractor(source, context));
  if (kind === 'eml')
    return yield* cleanBlocks(
      (await import('./eml.ts')).readEml(source, context, depth < depthMax ? readPart : null),
    );
  const readPieces = (await textReaders[kind]?.()) ?? readText;
  yield* withoutContents(cleanBlocks(readPieces(textOf(source.path, encoding ?? 'utf-8'))));

  async function* readPart(part: SourceFile): AsyncGenerator<TextBlock> {
    yield* readBlocks(await sniff(part, context), part, context, depth + 1);
  }
}

/**
 * Cleans the text of blocks and splits long blocks. Escapes in JSON and HTML can produce characters
 * that were removed from the source text, and a single value can be longer than a block.
 */
async function* cleanBlocks(blocks: AsyncIterable<TextBlock>): AsyncGenerator<TextBlock> {
  for await (const block of blocks) {
    const text = cleanText(block.text);
    for (let from = 0; from < text.length; ) {
      const to = surrogateSafeOffset(text, Math.min(text.length, from + blockUnitsMax));
      yield from === 0
        ? { ...block, text: text.slice(from, to) }
        : { ...block, text: text.slice(from, to), separator: '' };
      from = to;
    }
  }
}
