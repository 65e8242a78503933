import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  blockUnitsMax,
  type ExtractContext,
  type ExtractLimits,
  type Extractor,
  separatorOf,
  type TextBlock,
} from '../../src/vault/extract/block.ts';

const generousLimits: ExtractLimits = {
  unpackedBytesMax: 512 * 1024 * 1024,
  partsMax: 5000,
  pagesMax: 5000,
  textUnitsMax: 256 * 1024 * 1024,
};

/** Reads a document from memory with an extractor and checks every block against the contract. */
export async function readBlocks(
  extractor: Extractor,
  bytes: Uint8Array,
  limits: Partial<ExtractContext> = {},
): Promise<TextBlock[]> {
  const folder = await mkdtemp(join(tmpdir(), 'document-'));
  try {
    const path = join(folder, 'document');
    await writeFile(path, bytes);
    const blocks: TextBlock[] = [];
    for await (const block of extractor(
      { path, bytes: bytes.length },
      { ...generousLimits, ...limits },
    )) {
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

/** The text to which offsets refer. */
export const joined = (blocks: readonly TextBlock[]) =>
  blocks.map((block, at) => (at === 0 ? '' : separatorOf(block)) + block.text).join('');

/** One line per block: "1# Heading" for a heading on page 1, "row Name: Ann" for a row. */
export const outline = (blocks: readonly TextBlock[]) =>
  blocks.map(({ kind, level, page, text }) =>
    `${page ?? ''}${kind === 'heading' ? '#'.repeat(level ?? 0) : kind === 'row' ? 'row' : ''} ${text}`.trim(),
  );
