import type { ExtractContext, Extractor, TextBlock } from './block.ts';
import { normalizeBlocks } from './normalize-blocks.ts';
import { openZip, type ZipArchive } from './zip.ts';

/**
 * Creates an extractor for documents that are ZIP files. It opens the file within the limits and
 * closes it however reading ends.
 */
export const packedDocument = (
  read: (zip: ZipArchive, context: ExtractContext) => AsyncGenerator<TextBlock>,
): Extractor =>
  normalizeBlocks(async function* (source, limits) {
    const zip = await openZip(source, limits);
    try {
      yield* read(zip, limits);
    } finally {
      zip.close();
    }
  });
