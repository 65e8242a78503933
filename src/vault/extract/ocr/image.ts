import { readFile } from 'node:fs/promises';
import { imageHeaderOf, selectTiffPage, tiffPagesOf } from '../../../platform/image-header.ts';
import {
  addNotice,
  type ExtractContext,
  type Extractor,
  type Recognizer,
  type TextBlock,
} from '../block.ts';
import { ExtractError } from '../extract-error.ts';
import { normalizeBlocks } from '../normalize-blocks.ts';

/** Reads the text of a PNG, JPEG or WebP image. */
export const readImage: Extractor = normalizeBlocks(async function* (source, context) {
  const recognizer = recognizerOf(context);
  const image = await readFile(source.path);
  const header = imageHeaderOf(image);
  if (!header) throw new ExtractError('DAMAGED');
  if (header.width * header.height > recognizer.pixelsMax) throw new ExtractError('TOO_COMPLEX');
  const blocks = await recognizer.measure(() => recognizer.recognize(image, header.orientation));
  if (!blocks) throw new ExtractError('DAMAGED');
  if (blocks.length > 0) addNotice(context.notices, 'PAGES_RECOGNIZED');
  yield* blocks;
});

/**
 * Reads the pages of a TIFF file. Pages that are too large, or packed in a way that the decoder does
 * not know, are counted; if that is true of all, the file cannot be read.
 */
export const readTiff: Extractor = normalizeBlocks(async function* (source, context) {
  const recognizer = recognizerOf(context);
  const file = await readFile(source.path);
  const pages = tiffPagesOf(file, context.pagesMax);
  if (pages.length === 0) throw new ExtractError('DAMAGED');
  let isAnyDecoded = false;
  for (const [index, page] of pages.entries()) {
    let blocks: TextBlock[] | undefined;
    if (page.width * page.height <= recognizer.pixelsMax && recognizer.hasCapacity()) {
      selectTiffPage(file, page);
      blocks = await recognizer.measure(() => recognizer.recognize(file));
    }
    isAnyDecoded ||= blocks !== undefined;
    if (!blocks) addNotice(context.notices, 'PAGES_NOT_RECOGNIZED');
    else addNotice(context.notices, blocks.length > 0 ? 'PAGES_RECOGNIZED' : 'PAGES_WITHOUT_TEXT');
    for (const block of blocks ?? []) yield { ...block, page: index + 1 };
  }
  if (!isAnyDecoded)
    throw new ExtractError(
      pages.every(({ width, height }) => width * height > recognizer.pixelsMax)
        ? 'TOO_COMPLEX'
        : 'UNSUPPORTED',
    );
});

/** Without one, images are rejected when their kind is detected; an attachment can exhaust it. */
function recognizerOf({ recognizer }: ExtractContext): Recognizer {
  if (!recognizer) throw new ExtractError('UNSUPPORTED');
  if (!recognizer.hasCapacity()) throw new ExtractError('TOO_SLOW');
  return recognizer;
}
