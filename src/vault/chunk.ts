import { separatorOf, type TextBlock } from './extract/block.ts';
import { Outline } from './outline.ts';
import type { Passage } from './passage.ts';
import {
  firstSentenceStart,
  lastSentenceStart,
  surrogateSafeOffset,
  unitsWithin,
  unitsWithinBackwards,
} from './text-measure.ts';

export type ChunkOptions = {
  /**
   * The largest size of a passage in estimated tokens (see text-measure.ts). Passages end at the last
   * good boundary before it, so they have about 400 tokens on average.
   */
  tokensMax?: number;
};

/**
 * The smallest sizes of a passage, as shares of `tokensMax`: one that ends at a paragraph, and one
 * that ends at a section.
 */
const paragraphShareMin = 1 / 2;
const sectionShareMin = 1 / 9;
/** The share of a passage that the next one repeats, so that one of them has the complete sentence. */
const overlapShare = 0.15;

/**
 * Cuts a document into passages while it is being read; memory holds at most about two passages and
 * one block. A passage ends at the first of these that its size allows: the end of a page or the
 * next heading, the end of a paragraph or row, a page break inside a paragraph, the end of a line or
 * sentence, a space, any character (never inside a surrogate pair). A passage that begins a section
 * or page does not repeat text of the passage before.
 */
export async function* chunk(
  blocks: AsyncIterable<TextBlock>,
  { tokensMax = 450 }: ChunkOptions = {},
): AsyncGenerator<Passage> {
  const outline = new Outline();
  // `pending` is the text from the offset `base` on. The text before `base` is already cut.
  let pending = '';
  let base = 0;
  let coveredTo = 0;
  let ordinal = 0;
  const unitsMax = tokensMax * 4;

  function* passages(isComplete: boolean): Generator<Passage> {
    // Two passages are collected before the first is cut, so that the cut takes account of white
    // space at the front and of a heading just behind the end.
    while (pending.length > 0 && (isComplete || pending.length >= 2 * unitsMax)) {
      const leadingSpaces = pending.length - pending.trimStart().length;
      forget(leadingSpaces);
      if (leadingSpaces > 0) continue;
      const { end, next } = cut(isComplete);
      const text = pending.slice(0, end).trimEnd();
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
    pending = pending.slice(units);
    base += units;
    outline.forgetBefore(base);
  }

  /** Returns where the passage at the start of `pending` ends, and where the next one begins. */
  function cut(isComplete: boolean): { end: number; next: number } {
    const endMax = unitsWithin(pending, 0, tokensMax);
    // A passage never spans two pages, however short a page is, because it is cited with one page.
    const newPageStart = outline.first('newPage', base + 1, base + endMax);
    const sectionStart = outline.first(
      'section',
      base + Math.max(1, unitsWithin(pending, 0, tokensMax * sectionShareMin)),
      base + endMax,
    );
    const sectionOrPageStart =
      newPageStart !== undefined && sectionStart !== undefined
        ? Math.min(newPageStart, sectionStart)
        : (newPageStart ?? sectionStart);
    if (sectionOrPageStart !== undefined)
      return { end: sectionOrPageStart - base, next: sectionOrPageStart - base };
    if (isComplete && endMax === pending.length) return { end: endMax, next: endMax };
    const endMin = Math.max(1, unitsWithin(pending, 0, tokensMax * paragraphShareMin));
    const boundary =
      (outline.last('paragraph', base + endMin, base + endMax) ??
        outline.last('pageInParagraph', base + endMin, base + endMax) ??
        base) - base;
    const cutEnd = boundary > 0 ? boundary : lastSentenceStart(pending, endMin, endMax);
    // The overlap is counted back from the last word, without the white space behind it.
    return { end: cutEnd, next: overlapFrom(pending.slice(0, cutEnd).trimEnd().length, cutEnd) };
  }

  function overlapFrom(end: number, fallback: number): number {
    const earliest = surrogateSafeOffset(
      pending,
      Math.max(1, end - unitsWithinBackwards(pending, end, tokensMax * overlapShare)),
    );
    if (earliest === 0) return fallback;
    const block = outline.first('paragraph', base + earliest, base + end - 1);
    const overlap = block === undefined ? firstSentenceStart(pending, earliest, end) : block - base;
    return overlap < end ? overlap : fallback;
  }

  for await (const block of blocks) {
    const separator = base === 0 && pending === '' && outline.isEmpty ? '' : separatorOf(block);
    pending += separator;
    outline.add(block, base + pending.length);
    pending += block.text;
    yield* passages(false);
  }
  yield* passages(true);
}
