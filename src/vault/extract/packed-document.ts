import { open } from 'node:fs/promises';
import type { ExtractContext, Extractor, TextBlock } from './block.ts';
import { openFlat } from './flat-document.ts';
import { normalizeBlocks } from './normalize-blocks.ts';
import { openZip, packedMark, type ZipArchive } from './zip.ts';

/**
 * Creates an extractor for documents that are ZIP files. It opens the file within the limits and
 * closes it however reading ends. `canBeFlat`: the same document can also be one XML text.
 */
export const packedDocument = (
  read: (zip: ZipArchive, context: ExtractContext) => AsyncGenerator<TextBlock>,
  { canBeFlat = false } = {},
): Extractor =>
  normalizeBlocks(async function* (source, limits) {
    const isFlat = canBeFlat && !(await isPacked(source.path));
    const zip = isFlat ? openFlat(source) : await openZip(source, limits);
    try {
      yield* read(zip, limits);
    } finally {
      zip.close();
    }
  });

/** Whether the file begins as a ZIP file. */
async function isPacked(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(packedMark.length), 0, packedMark.length, 0);
  return buffer.equals(packedMark);
}
