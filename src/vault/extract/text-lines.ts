import { wholePairEnd } from '../text-measure.ts';
import { blockUnitsMax } from './block.ts';

/**
 * A line without its end; `goesOn`: the rest of the line before, which was too long for one block.
 */
export type Line = { text: string; goesOn: boolean };

/** The lines of a text as it is read. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let held = '';
  let goesOn = false;

  function* tooLong(text: string): Generator<Line, string> {
    let rest = text;
    while (rest.length > blockUnitsMax) {
      const to = wholePairEnd(rest, blockUnitsMax);
      yield { text: rest.slice(0, to), goesOn };
      goesOn = true;
      rest = rest.slice(to);
    }
    return rest;
  }

  for await (const piece of pieces) {
    const lines = (held + piece).split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const text = yield* tooLong(line);
      if (text !== '' || !goesOn) yield { text, goesOn };
      goesOn = false;
    }
    held = yield* tooLong(last);
  }
  if (held !== '') yield { text: held, goesOn };
}
