import type { Block, ExtractLimits, Extractor } from './block.ts';
import { keepContract } from './keep-contract.ts';
import { openZip, type Zip } from './zip.ts';

/** An extractor of a document that is a packed file: opens it within the limits, and closes it however reading ends. */
export const packedDocument = (read: (zip: Zip, limits: ExtractLimits) => AsyncGenerator<Block>): Extractor =>
  keepContract(async function* (source, limits) {
    const zip = await openZip(source, limits);
    try {
      yield* read(zip, limits);
    } finally {
      zip.close();
    }
  });
