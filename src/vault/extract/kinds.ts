import { wholePairEnd } from '../text-measure.ts';
import {
  type Block,
  blockUnitsMax,
  type ExtractLimits,
  type Extractor,
  type Source,
} from './block.ts';
import { type Found, type Kind, sniff } from './sniff.ts';
import { readText } from './text.ts';
import { soundText, textOf } from './text-stream.ts';

type TextReader = (pieces: AsyncIterable<string>) => AsyncGenerator<Block>;

/** A message may carry a message that carries files; what is deeper is only named. */
const depthMax = 2;

// Each is loaded when it is needed: a process that reads one document starts sooner without the
// others.
const extractors: Partial<Record<Kind, () => Promise<Extractor>>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  odt: async () => (await import('./odt.ts')).readOdt,
};

const textReaders: Partial<Record<Kind, () => Promise<TextReader>>> = {
  html: async () => (await import('./html.ts')).readHtml,
  markdown: async () => (await import('./markdown.ts')).readMarkdown,
  csv: async () => (await import('./csv.ts')).readCsv,
  json: async () => (await import('./json.ts')).readJson,
};

/** The blocks of a file whose kind is known. */
export async function* read(
  { kind, encoding }: Found,
  source: Source,
  limits: ExtractLimits,
  depth = 0,
): AsyncGenerator<Block> {
  const extractor = await extractors[kind]?.();
  if (extractor) return yield* extractor(source, limits);
  if (kind === 'eml')
    return yield* sound(
      (await import('./eml.ts')).readEml(source, limits, depth < depthMax ? readPart : null),
    );
  const readPieces = (await textReaders[kind]?.()) ?? readText;
  yield* sound(readPieces(textOf(source.path, encoding ?? 'utf-8')));

  async function* readPart(part: Source): AsyncGenerator<Block> {
    yield* read(await sniff(part, limits), part, limits, depth + 1);
  }
}

/**
 * Escapes (JSON's, HTML's) bring back what the text was cleaned of, and a value may be longer than
 * a block.
 */
async function* sound(blocks: AsyncIterable<Block>): AsyncGenerator<Block> {
  for await (const block of blocks) {
    const text = soundText(block.text);
    for (let from = 0; from < text.length; ) {
      const to = wholePairEnd(text, Math.min(text.length, from + blockUnitsMax));
      yield from === 0
        ? { ...block, text: text.slice(from, to) }
        : { ...block, text: text.slice(from, to), joint: '' };
      from = to;
    }
  }
}
