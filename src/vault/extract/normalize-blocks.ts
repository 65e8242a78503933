import { blockUnitsMax, type Extractor, type TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { removeUnprintable } from './text-stream.ts';

/**
 * Enforces the rules for blocks for every extractor: blocks are not empty, not too long, and
 * contain no text that cannot be stored (NUL, unpaired surrogates). A document without text is
 * EMPTY.
 */
export const normalizeBlocks = (read: Extractor): Extractor =>
  async function* (source, limits) {
    let hasText = false;
    for await (const block of read(source, limits)) {
      for (const piece of piecesOf(block)) {
        hasText = true;
        yield piece;
      }
    }
    if (!hasText) throw new ExtractError('EMPTY');
  };

function* piecesOf(block: TextBlock): Generator<TextBlock> {
  const text = removeUnprintable(block.text).trim();
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + blockUnitsMax, text.length);
    if (end < text.length && isLowSurrogate(text.charCodeAt(end))) end -= 1;
    const piece: TextBlock = { ...block, text: text.slice(start, end) };
    yield start === 0 ? piece : { ...piece, separator: '' };
    start = end;
  }
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
