import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  blockUnitsMax,
  type ExtractLimits,
  type Extractor,
  separatorOf,
  type TextBlock,
} from '../../src/vault/extract/block.ts';

const roomy: ExtractLimits = {
  unpackedBytesMax: 512 * 1024 * 1024,
  partsMax: 5000,
  pagesMax: 5000,
  textUnitsMax: 256 * 1024 * 1024,
};

/**
 * Reads a document that lies in memory through an extractor, and holds every block against the
 * contract.
 */
export async function readBlocks(
  extractor: Extractor,
  bytes: Uint8Array,
  limits: Partial<ExtractLimits> = {},
): Promise<TextBlock[]> {
  const folder = await mkdtemp(join(tmpdir(), 'document-'));
  try {
    const path = join(folder, 'document');
    await writeFile(path, bytes);
    const blocks: TextBlock[] = [];
    for await (const block of extractor({ path, bytes: bytes.length }, { ...roomy, ...limits })) {
      const { text } = block;
      if (
        text.length === 0 ||
        text.length > blockUnitsMax ||
        !text.isWellFormed() ||
        text.includes('\u0000')
      )
        throw new Error(`A broken block: ${JSON.stringify(text)}`);
      if ((block.kind === 'heading') !== (block.level !== undefined))
        throw new Error('Headings have a level, and nothing else has');
      blocks.push(block);
    }
    return blocks;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The text of the document, in which offsets count. */
export const joined = (blocks: readonly TextBlock[]) =>
  blocks.map((block, at) => (at === 0 ? '' : separatorOf(block)) + block.text).join('');

/** What a reader sees of the blocks, one line each: "1# Heading" on page 1, "row Name: Ann". */
export const outline = (blocks: readonly TextBlock[]) =>
  blocks.map(({ kind, level, page, text }) =>
    `${page ?? ''}${kind === 'heading' ? '#'.repeat(level ?? 0) : kind === 'row' ? 'row' : ''} ${text}`.trim(),
  );
