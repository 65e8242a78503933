import { type Block, jointOf } from './extract/block.ts';
import { Outline } from './outline.ts';
import type { Passage } from './passage.ts';
import {
  firstSentenceStart,
  lastSentenceStart,
  unitsWithin,
  unitsWithinBackwards,
  wholePairEnd,
} from './text-measure.ts';

export type ChunkOptions = {
  /**
   * The most that a passage may hold, in estimated tokens (see text-measure.ts). Cut at the last
   * good place before, passages come to about 400.
   */
  tokensMax?: number;
};

/**
 * A passage holds at least this part of its most before it ends at a paragraph, and this part
 * before it ends with a section.
 */
const paragraphShareMin = 1 / 2;
const sectionShareMin = 1 / 9;
/** What a passage repeats of the one before it, so that a sentence on the border is found whole. */
const overlapShare = 0.15;

/**
 * Cuts a document into passages, while it is being read: what is held is never more than a passage
 * and a block. A passage ends with its page, or before a heading; else with a paragraph or row;
 * else where a page ends inside a paragraph; else with a line or sentence; else between words; else
 * anywhere but in a surrogate pair. Sections and pages that begin anew repeat nothing of what stood
 * before them.
 */
export async function* chunk(
  blocks: AsyncIterable<Block>,
  { tokensMax = 450 }: ChunkOptions = {},
): AsyncGenerator<Passage> {
  const outline = new Outline();
  // `held` is the text from the offset `base` on; what lies before is done with.
  let held = '';
  let base = 0;
  let coveredTo = 0;
  let ordinal = 0;
  const unitsMax = tokensMax * 4;

  function* passages(isComplete: boolean): Generator<Passage> {
    // Twice the most: so that white space at the front, or a heading just behind the end, is seen
    // before the cut is chosen.
    while (held.length > 0 && (isComplete || held.length >= 2 * unitsMax)) {
      const blank = held.length - held.trimStart().length;
      forget(blank);
      if (blank > 0) continue;
      const { end, next } = cut(isComplete);
      const text = held.slice(0, end).trimEnd();
      if (base + text.length > coveredTo) {
        coveredTo = base + text.length;
        yield {
          ordinal: ordinal++,
          text,
          page: outline.pageAt(base),
          headings: outline.headingsAt(base, coveredTo),
          start: base,
          end: coveredTo,
        };
      }
      forget(next);
    }
  }

  function forget(units: number): void {
    if (units === 0) return;
    held = held.slice(units);
    base += units;
    outline.forgetBefore(base);
  }

  /** Where the passage that begins with `held` ends, and where the next one begins. */
  function cut(isComplete: boolean): { end: number; next: number } {
    const most = unitsWithin(held, 0, tokensMax);
    // However short a page is, what follows it is cited from another one.
    const leaf = outline.first('leaf', base + 1, base + most);
    const section = outline.first(
      'section',
      base + Math.max(1, unitsWithin(held, 0, tokensMax * sectionShareMin)),
      base + most,
    );
    const anew =
      leaf !== undefined && section !== undefined ? Math.min(leaf, section) : (leaf ?? section);
    if (anew !== undefined) return { end: anew - base, next: anew - base };
    if (isComplete && most === held.length) return { end: most, next: most };
    const least = Math.max(1, unitsWithin(held, 0, tokensMax * paragraphShareMin));
    const end =
      (outline.last('paragraph', base + least, base + most) ??
        outline.last('page', base + least, base + most) ??
        base) - base;
    const chosen = end > 0 ? end : lastSentenceStart(held, least, most);
    // White space behind the cut belongs to nobody: the overlap is counted back from the last word.
    return { end: chosen, next: overlapFrom(held.slice(0, chosen).trimEnd().length, chosen) };
  }

  function overlapFrom(end: number, afterwards: number): number {
    const earliest = wholePairEnd(
      held,
      Math.max(1, end - unitsWithinBackwards(held, end, tokensMax * overlapShare)),
    );
    if (earliest === 0) return afterwards;
    const block = outline.first('paragraph', base + earliest, base + end - 1);
    const overlap = block === undefined ? firstSentenceStart(held, earliest, end) : block - base;
    return overlap < end ? overlap : afterwards;
  }

  for await (const block of blocks) {
    const joint = base === 0 && held === '' && outline.isEmpty ? '' : jointOf(block);
    held += joint;
    outline.add(block, base + held.length);
    held += block.text;
    yield* passages(false);
  }
  yield* passages(true);
}
