import type { NumberedPassage, Passages } from './passages.ts';
import type { CitationDetail } from './run-result.ts';
import { sentencesOf } from './sentences.ts';
import { checkSupport } from './statement-support.ts';

// A marker has at most this many characters between its brackets. A longer list of numbers is
// treated as plain text.
const markerCharactersMax = 400;
const marker = new RegExp(
  `^\\[(?=[^\\]]{1,${markerCharactersMax}}\\])(\\d{1,4}(?:\\s*[,;]\\s*\\d{1,4})*)\\]`,
);
const unfinishedMarker = new RegExp(`^\\[[\\d\\s,;]{0,${markerCharactersMax}}$`);
const statementCharactersMax = 800;
// Checking a marker takes up to a millisecond, and no real answer has this many markers. Every
// marker after this number counts as unsupported.
const checksMax = 2_000;

/**
 * The text of an answer while the model writes it. A marker that no retrieved passage supports is
 * removed before the text is shown, so a streamed answer equals the complete one. The cost of a
 * chunk depends on its own length and not on the text before it, because a model may write 80,000
 * blanks one by one.
 */
export class CitedText {
  readonly #passages: Passages;
  readonly #details = new Map<number, CitationDetail>();
  /** White space at the end of the text so far. It is dropped if a removed marker follows. */
  #whitespace = '';
  /** The beginning of a possible marker that is not complete yet. */
  #bracket = '';
  #text = '';
  /** The last characters of the text. They contain the statement before the next marker. */
  #recent = '';
  /** For consecutive markers after one statement: which of them are supported by their passage. */
  #checkedMarkers: { statement: string; supported: Map<number, boolean> } | undefined;
  #checks = 0;

  constructor(passages: Passages) {
    this.#passages = passages;
  }

  get text(): string {
    return this.#text;
  }

  /** Ordered by first use. */
  get details(): CitationDetail[] {
    return [...this.#details.values()];
  }

  /** Adds the next text of the model and returns the part that can be shown now. */
  push(written: string): string {
    let shown = '';
    const show = (text: string) => {
      shown += text;
      this.#show(text);
    };
    const showPlainText = (text: string) => {
      show(text);
      this.#checkedMarkers = undefined;
    };
    let rest = this.#bracket + written;
    this.#bracket = '';
    while (rest !== '') {
      if (!rest.startsWith('[')) {
        const bracket = rest.indexOf('[');
        const plain = bracket < 0 ? rest : rest.slice(0, bracket);
        const end = endWithoutWhitespace(plain);
        if (end > 0) showPlainText(this.#takeWhitespace() + plain.slice(0, end));
        this.#whitespace += plain.slice(end);
        rest = rest.slice(plain.length);
        continue;
      }
      const start = rest.slice(0, markerCharactersMax + 2);
      const [matchedMarker, numbers] = marker.exec(start) ?? [];
      if (matchedMarker !== undefined && numbers !== undefined) {
        const whitespace = this.#takeWhitespace();
        const supported = [...new Set(numbers.split(/[,;]/).map(Number))].filter((number) =>
          this.#cite(number),
        );
        if (supported.length > 0)
          show(whitespace + supported.map((number) => `[${number}]`).join(''));
        rest = rest.slice(matchedMarker.length);
      } else if (rest.length === start.length && unfinishedMarker.test(rest)) {
        this.#bracket = rest;
        rest = '';
      } else {
        showPlainText(`${this.#takeWhitespace()}[`);
        rest = rest.slice(1);
      }
    }
    return shown;
  }

  /** Ends the text: the incomplete marker turns out to be plain text. */
  end(): string {
    const rest = this.#takeWhitespace() + this.#bracket;
    this.#bracket = '';
    this.#show(rest);
    return rest;
  }

  #show(text: string): void {
    this.#text += text;
    this.#recent = (this.#recent + text.slice(-statementCharactersMax)).slice(
      -statementCharactersMax,
    );
  }

  #takeWhitespace(): string {
    const whitespace = this.#whitespace;
    this.#whitespace = '';
    return whitespace;
  }

  #cite(number: number): boolean {
    const passage = this.#passages.get(number);
    if (!passage) return false;
    this.#checkedMarkers ??= { statement: this.#statement(), supported: new Map() };
    const { statement, supported: supportByNumber } = this.#checkedMarkers;
    const supported = supportByNumber.get(number) ?? this.#check(statement, passage);
    supportByNumber.set(number, supported);
    return supported;
  }

  #check(statement: string, passage: NumberedPassage): boolean {
    this.#checks += 1;
    if (this.#checks > checksMax) return false;
    const { quote, supported } = checkSupport(statement, passage);
    if (supported && !this.#details.has(passage.number))
      this.#details.set(passage.number, detailOf(passage, quote));
    return supported;
  }

  /** The sentence before the marker. */
  #statement(): string {
    if (this.#checks >= checksMax) return '';
    // The lookbehind lets a match begin only at the first blank of a run. Without it, a run of n
    // blanks costs n² steps.
    const plainText = this.#recent.replaceAll(/(?<!\s)\s*\[\d+\]/g, '');
    return (
      sentencesOf(plainText.slice(plainText.trimEnd().lastIndexOf('\n') + 1)).at(-1)?.text ?? ''
    );
  }
}

function endWithoutWhitespace(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return end;
}

const detailOf = (
  {
    number,
    documentId,
    versionId,
    isPreviousVersion,
    originalName,
    page,
    start,
    score,
  }: NumberedPassage,
  quote: { text: string; start: number; end: number },
): CitationDetail => ({
  marker: number,
  documentId,
  versionId,
  isPreviousVersion,
  originalName,
  page,
  start: start + quote.start,
  end: start + quote.end,
  quote: quote.text,
  score,
});

/**
 * The sources without duplicates, ordered by first use, each with its page if the file has pages.
 */
export const locatorsOf = (details: readonly CitationDetail[]): string[] => [
  ...new Set(
    details.map(({ originalName, page }) =>
      page === null ? originalName : `${originalName}#page=${page}`,
    ),
  ),
];
