import { surrogateSafeOffset } from '../text-measure.ts';
import { blockUnitsMax } from './block.ts';

/**
 * A line without its line end. `isContinuation`: the text continues the previous line, which was
 * too long for one block.
 */
export type TextLine = { text: string; isContinuation: boolean };

/** Splits a text into lines while it is read. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let pending = '';
  let isContinuation = false;

  function* splitLongLine(text: string): Generator<TextLine, string> {
    let rest = text;
    while (rest.length > blockUnitsMax) {
      const to = surrogateSafeOffset(rest, blockUnitsMax);
      yield { text: rest.slice(0, to), isContinuation };
      isContinuation = true;
      rest = rest.slice(to);
    }
    return rest;
  }

  for await (const piece of pieces) {
    const lines = (pending + piece).split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const text = yield* splitLongLine(line);
      if (text !== '' || !isContinuation) yield { text, isContinuation };
      isContinuation = false;
    }
    pending = yield* splitLongLine(last);
  }
  if (pending !== '') yield { text: pending, isContinuation };
}
