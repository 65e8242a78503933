import { t } from '../../texts/text.ts';
export type ExcerptPart = {
  text: string;
  start: number;
  end: number;
  page: number | null;
  headings: readonly string[];
};
type TextRange = { start: number; end: number };

/**
 * A part of an excerpt, split at the quote. `page` and `heading` are set only where they change.
 */
export type QuotedPart = {
  start: number;
  page: string | undefined;
  heading: string | undefined;
  before: string;
  quote: string;
  after: string;
};

export function markQuote(parts: readonly ExcerptPart[], { start, end }: TextRange): QuotedPart[] {
  return joinAdjacentParts(parts).map((part, index, all) => {
    const previous = all[index - 1];
    const heading = headingText(part);
    const from = clampOffset(start - part.start, part.text);
    const to = clampOffset(end - part.start, part.text);
    return {
      start: part.start,
      page:
        part.page !== null && part.page !== previous?.page
          ? t('chat.page', { page: part.page })
          : undefined,
      heading:
        heading !== '' && heading !== (previous && headingText(previous)) ? heading : undefined,
      before: part.text.slice(0, from),
      quote: part.text.slice(from, to),
      after: part.text.slice(to),
    };
  });
}

const headingText = ({ headings }: ExcerptPart): string => headings.join(' › ');
const clampOffset = (offset: number, { length }: string): number =>
  Math.min(Math.max(offset, 0), length);

/** Joins parts that were split in the middle of a paragraph. */
function joinAdjacentParts(parts: readonly ExcerptPart[]): ExcerptPart[] {
  const joinedParts: ExcerptPart[] = [];
  for (const part of parts) {
    const last = joinedParts.at(-1);
    if (
      last?.end === part.start &&
      last.page === part.page &&
      headingText(last) === headingText(part)
    ) {
      joinedParts[joinedParts.length - 1] = { ...last, text: last.text + part.text, end: part.end };
    } else joinedParts.push(part);
  }
  return joinedParts;
}

/**
 * Whether the file still contains the quote at its position. White space is ignored, because the
 * white space between parts is not returned.
 */
export const isQuoteUnchanged = (
  parts: readonly ExcerptPart[],
  { quote, ...range }: TextRange & { quote: string },
): boolean =>
  withoutWhitespace(
    markQuote(parts, range)
      .map((part) => part.quote)
      .join(''),
  ) === withoutWhitespace(quote);

const withoutWhitespace = (text: string): string => text.replaceAll(/\s+/g, '');
