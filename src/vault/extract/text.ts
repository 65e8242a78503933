import { wholePairEnd } from '../text-measure.ts';
import { type Block, blockUnitsMax } from './block.ts';

const blankLines = /\n[ \t]*\n(?:[ \t]*\n)*/g;

/**
 * Plain text: a paragraph ends with a blank line. One without an end, be it one line of 100 MB,
 * comes in stretches as it is read.
 */
export async function* readText(pieces: AsyncIterable<string>): AsyncGenerator<Block> {
  let held = '';
  let goesOn = false;

  function* stretchesOf(text: string): Generator<Block> {
    for (let from = 0; from < text.length; ) {
      const to = wholePairEnd(text, from + blockUnitsMax);
      const stretch = text.slice(from, to);
      yield goesOn
        ? { kind: 'paragraph', text: stretch, joint: '' }
        : { kind: 'paragraph', text: stretch };
      goesOn = true;
      from = to;
    }
  }

  for await (const piece of pieces) {
    held += piece;
    let from = 0;
    for (const { index, 0: blank } of held.matchAll(blankLines)) {
      yield* stretchesOf(held.slice(from, index));
      goesOn = false;
      from = index + blank.length;
    }
    const rest = held.slice(from);
    const whole = wholePairEnd(rest, rest.length - (rest.length % blockUnitsMax));
    yield* stretchesOf(rest.slice(0, whole));
    held = rest.slice(whole);
  }
  yield* stretchesOf(held);
}
