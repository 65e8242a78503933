import type { TextBlock } from './block.ts';

/** An entry of a table of contents: a title, leaders or a tab, and a page. */
type ContentsEntry = {
  /** Undefined for a Roman number. */
  page: number | undefined;
  hasLeaders: boolean;
  isNumbered: boolean;
};

const lineUnitsMax = 300;
/** Without a heading, a list with fewer entries or without section numbers can be a list of prices. */
const entriesMin = 5;
const entriesAfterHeadingMin = 2;
const contentsHeading =
  /^(?:\d+\.? )?(?:table of contents|contents|inhalt|inhalts(?:verzeichnis|übersicht)|sommaire|table des matières|índice)(?: \(.{1,20}\))?:?$/i;
const sectionNumber =
  /^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVX]+\.|§ ?\d+|Kapitel|Abschnitt|Anhang|Anlage|Teil|Chapter|Section|Appendix|Annex|Part)\s/;

function entryOf(line: string): ContentsEntry | undefined {
  if (line.length > lineUnitsMax) return undefined;
  const text = line.trim();
  const [, number = ''] = /[\s.…·_](\d{1,4}|[ivxl]{1,7})$/.exec(text) ?? [];
  if (number === '') return undefined;
  let end = text.length - number.length;
  let dots = 0;
  let hasTab = false;
  for (; end > 0; end -= 1) {
    const character = text.charAt(end - 1);
    if (character === '…') dots += 3;
    else if ('.·_'.includes(character)) dots += 1;
    else if (character === '\t') hasTab = true;
    else if (!/\s/.test(character)) break;
  }
  const hasLeaders = dots >= 3;
  if (end === 0 || (!hasLeaders && !hasTab)) return undefined;
  return {
    page: /^\d/.test(number) ? Number(number) : undefined,
    hasLeaders,
    isNumbered: sectionNumber.test(text),
  };
}

/**
 * Returns a function that says of consecutive lines which belong to a table of contents. Its words
 * are those of the headings, so a passage of them is found for every question and answers none.
 * Entries count that follow a heading such as "Contents", or that have section numbers; in both cases
 * their pages must not decrease. So a list of prices with leaders stays.
 */
export function createContentsFilter() {
  let isAfterHeading = false;
  /** The last page of a table of contents that went to the end of the last lines. */
  let openPage: number | undefined;

  return (lines: readonly string[]): boolean[] => {
    const entries = lines.map(entryOf);
    const inContents = lines.map(() => false);
    for (let from = 0; from < lines.length; ) {
      const end = endOfRun(entries, from, isAfterHeading || openPage !== undefined);
      const run = entries.slice(from, end).filter((entry) => entry !== undefined);
      if (run.length === 0) {
        const line = lines[from]?.trim() ?? '';
        if (line !== '') {
          isAfterHeading = contentsHeading.test(line);
          openPage = undefined;
        }
        from += 1;
        continue;
      }
      const isContents = isAfterHeading || openPage !== undefined;
      const pages = run.flatMap(({ page }) => page ?? []);
      const entriesNeeded =
        openPage !== undefined ? 1 : isAfterHeading ? entriesAfterHeadingMin : entriesMin;
      const isAccepted =
        run.length >= entriesNeeded &&
        doNotDecrease(openPage === undefined ? pages : [openPage, ...pages]) &&
        (isContents || (isNumberedList(run) && pages[0] !== pages.at(-1)));
      if (isAccepted) inContents.fill(true, from, end);
      openPage = isAccepted ? (pages.at(-1) ?? openPage ?? 0) : undefined;
      // One entry after a heading can be the first of several blocks.
      isAfterHeading &&= !isAccepted && end === lines.length;
      from = end;
    }
    return inContents;
  };
}

/**
 * The end of the entries from here. A single other line between two entries is the beginning of a
 * title that is longer than a line.
 */
function endOfRun(
  entries: readonly (ContentsEntry | undefined)[],
  from: number,
  isContents: boolean,
): number {
  const isEntry = (at: number) => {
    const entry = entries[at];
    return entry !== undefined && (entry.hasLeaders || isContents);
  };
  let end = from;
  while (isEntry(end) || (end > from && isEntry(end + 1))) end += isEntry(end) ? 1 : 2;
  return end;
}

const doNotDecrease = (pages: readonly number[]): boolean =>
  pages.every((page, index) => page >= (pages[index - 1] ?? 0));

const isNumberedList = (run: readonly ContentsEntry[]): boolean =>
  run.filter(({ isNumbered }) => isNumbered).length * 2 >= run.length;

/** Leaves out the lines of tables of contents. */
export async function* withoutContents(
  blocks: AsyncIterable<TextBlock>,
): AsyncGenerator<TextBlock> {
  const filter = createContentsFilter();
  for await (const block of blocks) {
    // The rows of a table and code are no table of contents, whatever they look like.
    if (block.kind === 'row' || block.kind === 'code') {
      yield block;
      continue;
    }
    const lines = block.text.split('\n');
    const inContents = filter(lines);
    if (!inContents.includes(true)) yield block;
    else if (inContents.includes(false))
      yield { ...block, text: lines.filter((_, index) => !inContents[index]).join('\n') };
  }
}
