export type Part = {
  text: string;
  start: number;
  end: number;
  page: number | null;
  headings: readonly string[];
};
type Stretch = { start: number; end: number };

/** A part with what of it is quoted; page and heading where they are others than before. */
export type MarkedPart = {
  start: number;
  page: string | undefined;
  heading: string | undefined;
  before: string;
  quote: string;
  after: string;
};

export function marked(parts: readonly Part[], { start, end }: Stretch): MarkedPart[] {
  return joined(parts).map((part, index, all) => {
    const previous = all[index - 1];
    const heading = headingOf(part);
    const from = within(start - part.start, part.text);
    const to = within(end - part.start, part.text);
    return {
      start: part.start,
      page: part.page !== null && part.page !== previous?.page ? `Page ${part.page}` : undefined,
      heading:
        heading !== '' && heading !== (previous && headingOf(previous)) ? heading : undefined,
      before: part.text.slice(0, from),
      quote: part.text.slice(from, to),
      after: part.text.slice(to),
    };
  });
}

const headingOf = ({ headings }: Part): string => headings.join(' › ');
const within = (offset: number, { length }: string): number =>
  Math.min(Math.max(offset, 0), length);

/** Parts that were cut from one another in the middle of a text are one again. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (
      last?.end === part.start &&
      last.page === part.page &&
      headingOf(last) === headingOf(part)
    ) {
      whole[whole.length - 1] = { ...last, text: last.text + part.text, end: part.end };
    } else whole.push(part);
  }
  return whole;
}

/**
 * Whether a quote still stands where it was found. Blank space between parts is not told, so none
 * counts.
 */
export const isQuotedThere = (
  parts: readonly Part[],
  { quote, ...stretch }: Stretch & { quote: string },
): boolean =>
  letters(
    marked(parts, stretch)
      .map((part) => part.quote)
      .join(''),
  ) === letters(quote);

const letters = (text: string): string => text.replaceAll(/\s+/g, '');
