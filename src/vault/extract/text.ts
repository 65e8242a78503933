import { surrogateSafeOffset } from '../text-measure.ts';
import { blockUnitsMax, type TextBlock } from './block.ts';

const blankLines = /\n[ \t]*\n(?:[ \t]*\n)*/g;

/**
 * Reads plain text. A blank line ends a paragraph. A long paragraph (even one line of 100 MB) is
 * yielded in several blocks while it is read.
 */
export async function* readText(pieces: AsyncIterable<string>): AsyncGenerator<TextBlock> {
  let pending = '';
  let isContinuation = false;

  function* blocksOf(text: string): Generator<TextBlock> {
    for (let from = 0; from < text.length; ) {
      const to = surrogateSafeOffset(text, from + blockUnitsMax);
      const blockText = text.slice(from, to);
      yield isContinuation
        ? { kind: 'paragraph', text: blockText, separator: '' }
        : { kind: 'paragraph', text: blockText };
      isContinuation = true;
      from = to;
    }
  }

  for await (const piece of pieces) {
    pending += piece;
    let from = 0;
    for (const { index, 0: separatorLines } of pending.matchAll(blankLines)) {
      yield* blocksOf(pending.slice(from, index));
      isContinuation = false;
      from = index + separatorLines.length;
    }
    const rest = pending.slice(from);
    const fullBlocksEnd = surrogateSafeOffset(rest, rest.length - (rest.length % blockUnitsMax));
    yield* blocksOf(rest.slice(0, fullBlocksEnd));
    pending = rest.slice(fullBlocksEnd);
  }
  yield* blocksOf(pending);
}
