import { type Block, blockUnitsMax, type Extractor } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { printable } from './text-stream.ts';

/**
 * What every extractor owes its reader, kept in one place: no block is empty, too long, or holds
 * what cannot be stored (NUL, halves of surrogate pairs); a document without any text is EMPTY.
 */
export const normalizeBlocks = (read: Extractor): Extractor =>
  async function* (source, limits) {
    let any = false;
    for await (const block of read(source, limits)) {
      for (const piece of piecesOf(block)) {
        any = true;
        yield piece;
      }
    }
    if (!any) throw new ExtractError('EMPTY');
  };

function* piecesOf(block: Block): Generator<Block> {
  const text = printable(block.text).trim();
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + blockUnitsMax, text.length);
    if (end < text.length && isLowSurrogate(text.charCodeAt(end))) end -= 1;
    const piece: Block = { ...block, text: text.slice(start, end) };
    yield start === 0 ? piece : { ...piece, joint: '' };
    start = end;
  }
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
