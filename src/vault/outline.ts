import type { Block } from './extract/block.ts';

/**
 * Where a passage may end: before a page that begins anew, a section, a paragraph or row, or where
 * a page ends inside a paragraph.
 */
type Border = 'leaf' | 'section' | 'paragraph' | 'page';

const headingUnitsMax = 200;

/** The borders, headings and pages of the part of a document that is still to be cut. */
export class Outline {
  #borders: { at: number; border: Border }[] = [];
  #pages: { at: number; page: number | null }[] = [];
  #paths: { at: number; path: string[]; isHeading: boolean }[] = [];
  #path: { level: number; text: string }[] = [];
  #last: Block | undefined;

  get isEmpty(): boolean {
    return this.#last === undefined;
  }

  /** A block whose text begins at this offset. */
  add(block: Block, at: number): void {
    const last = this.#last;
    this.#last = block;
    const isNewPage = last !== undefined && (last.page ?? null) !== (block.page ?? null);
    if (last === undefined || isNewPage) this.#pages.push({ at, page: block.page ?? null });
    const goesOn = last !== undefined && block.joint === '';
    if (goesOn && isNewPage) this.#borders.push({ at, border: 'page' });
    if (goesOn && block.kind === last.kind) return;
    const border = this.#borderBefore(block, isNewPage);
    // A heading is never parted from what follows it on its page.
    if (last !== undefined && !goesOn && (last.kind !== 'heading' || border === 'leaf'))
      this.#borders.push({ at, border });
    if (block.kind === 'heading') this.#enter(block);
    this.#paths.push({
      at,
      path: this.#path.map(({ text }) => text),
      isHeading: block.kind === 'heading',
    });
  }

  /** The first border of this kind in [from, to]. */
  first(border: Border, from: number, to: number): number | undefined {
    return this.#borders.find(
      (candidate) => candidate.border === border && candidate.at >= from && candidate.at <= to,
    )?.at;
  }

  /** The last border of this kind in [from, to]. */
  last(border: Border, from: number, to: number): number | undefined {
    return this.#borders.findLast(
      (candidate) => candidate.border === border && candidate.at >= from && candidate.at <= to,
    )?.at;
  }

  pageAt(offset: number): number | null {
    return this.#pages.findLast(({ at }) => at <= offset)?.page ?? null;
  }

  /** The headings over the first words of [from, to) that are no heading themselves. */
  headingsAt(from: number, to: number): string[] {
    let index = this.#paths.findLastIndex(({ at }) => at <= from);
    while (this.#paths[index]?.isHeading && (this.#paths[index + 1]?.at ?? to) < to) index++;
    return this.#paths[index]?.path ?? [];
  }

  /** What lies before this offset is not asked for again. */
  forgetBefore(offset: number): void {
    this.#borders = this.#borders.filter(({ at }) => at >= offset);
    this.#pages = fromTheOneAt(this.#pages, offset);
    this.#paths = fromTheOneAt(this.#paths, offset);
  }

  #borderBefore(block: Block, isNewPage: boolean): Border {
    if (isNewPage && block.joint === undefined) return 'leaf';
    if (block.kind === 'heading') return 'section';
    return isNewPage ? 'page' : 'paragraph';
  }

  #enter({ level = 1, text }: Block): void {
    this.#path = [
      ...this.#path.filter((above) => above.level < level),
      { level, text: text.slice(0, headingUnitsMax).trim().toWellFormed() },
    ];
  }
}

function fromTheOneAt<Entry extends { at: number }>(entries: Entry[], offset: number): Entry[] {
  const index = entries.findLastIndex(({ at }) => at <= offset);
  return index > 0 ? entries.slice(index) : entries;
}
