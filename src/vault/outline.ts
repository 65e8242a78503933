import type { TextBlock } from './extract/block.ts';

/**
 * A position where a passage may end: before a new page, before a section, before a paragraph or
 * row, or at a page break inside a paragraph.
 */
type PassageBoundary = 'newPage' | 'section' | 'paragraph' | 'pageInParagraph';

const headingUnitsMax = 200;

/** The boundaries, headings and pages of the part of a document that is not cut yet. */
export class Outline {
  #boundaries: { at: number; boundary: PassageBoundary }[] = [];
  #pages: { at: number; page: number | null }[] = [];
  #paths: { at: number; path: string[]; isHeading: boolean }[] = [];
  #path: { level: number; text: string }[] = [];
  #previous: TextBlock | undefined;

  get isEmpty(): boolean {
    return this.#previous === undefined;
  }

  /** Adds a block whose text begins at this offset. */
  add(block: TextBlock, at: number): void {
    const previous = this.#previous;
    this.#previous = block;
    const isNewPage = previous !== undefined && (previous.page ?? null) !== (block.page ?? null);
    if (previous === undefined || isNewPage) this.#pages.push({ at, page: block.page ?? null });
    const isContinuation = previous !== undefined && block.separator === '';
    if (isContinuation && isNewPage) this.#boundaries.push({ at, boundary: 'pageInParagraph' });
    if (isContinuation && block.kind === previous.kind) return;
    const boundary = this.#boundaryBefore(block, isNewPage);
    // A heading stays with the text that follows it on its page.
    if (
      previous !== undefined &&
      !isContinuation &&
      (previous.kind !== 'heading' || boundary === 'newPage')
    )
      this.#boundaries.push({ at, boundary });
    if (block.kind === 'heading') this.#openSection(block);
    this.#paths.push({
      at,
      path: this.#path.map(({ text }) => text),
      isHeading: block.kind === 'heading',
    });
  }

  /** The first boundary of this kind in [from, to]. */
  first(boundary: PassageBoundary, from: number, to: number): number | undefined {
    return this.#boundaries.find(
      (candidate) => candidate.boundary === boundary && candidate.at >= from && candidate.at <= to,
    )?.at;
  }

  /** The last boundary of this kind in [from, to]. */
  last(boundary: PassageBoundary, from: number, to: number): number | undefined {
    return this.#boundaries.findLast(
      (candidate) => candidate.boundary === boundary && candidate.at >= from && candidate.at <= to,
    )?.at;
  }

  pageAt(offset: number): number | null {
    return this.#pages.findLast(({ at }) => at <= offset)?.page ?? null;
  }

  /** The headings above the first text in [from, to) that is not itself a heading. */
  headingsAt(from: number, to: number): string[] {
    let index = this.#paths.findLastIndex(({ at }) => at <= from);
    while (this.#paths[index]?.isHeading && (this.#paths[index + 1]?.at ?? to) < to) index++;
    return this.#paths[index]?.path ?? [];
  }

  /** Drops everything before this offset. */
  forgetBefore(offset: number): void {
    this.#boundaries = this.#boundaries.filter(({ at }) => at >= offset);
    this.#pages = dropBefore(this.#pages, offset);
    this.#paths = dropBefore(this.#paths, offset);
  }

  #boundaryBefore(block: TextBlock, isNewPage: boolean): PassageBoundary {
    if (isNewPage && block.separator === undefined) return 'newPage';
    if (block.kind === 'heading') return 'section';
    return isNewPage ? 'pageInParagraph' : 'paragraph';
  }

  #openSection({ level = 1, text }: TextBlock): void {
    this.#path = [
      ...this.#path.filter((above) => above.level < level),
      { level, text: text.slice(0, headingUnitsMax).trim().toWellFormed() },
    ];
  }
}

function dropBefore<Entry extends { at: number }>(entries: Entry[], offset: number): Entry[] {
  const index = entries.findLastIndex(({ at }) => at <= offset);
  return index > 0 ? entries.slice(index) : entries;
}
