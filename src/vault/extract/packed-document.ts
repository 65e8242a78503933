import type { Block, ExtractLimits, Extractor } from './block.ts';
import { normalizeBlocks } from './normalize-blocks.ts';
import { openZip, type Zip } from './zip.ts';

/**
 * An extractor of a document that is a packed file: opens it within the limits, and closes it
 * however reading ends.
 */
export const packedDocument = (
  read: (zip: Zip, limits: ExtractLimits) => AsyncGenerator<Block>,
): Extractor =>
  normalizeBlocks(async function* (source, limits) {
    const zip = await openZip(source, limits);
    try {
      yield* read(zip, limits);
    } finally {
      zip.close();
    }
  });
