import type { NumberedPassage, Passages } from './passages.ts';
import type { CitationDetail } from './run-result.ts';
import { sentencesOf } from './sentences.ts';
import { supportFor } from './support.ts';

// A marker has at most this many characters between its brackets. A longer list of numbers is shown
// as it is.
const markerCharactersMax = 400;
const marker = new RegExp(
  `^\\[(?=[^\\]]{1,${markerCharactersMax}}\\])(\\d{1,4}(?:\\s*[,;]\\s*\\d{1,4})*)\\]`,
);
const unfinishedMarker = new RegExp(`^\\[[\\d\\s,;]{0,${markerCharactersMax}}$`);
const statementCharacters = 800;
// A check of a marker takes up to a millisecond, and no real answer has this many. Markers beyond
// it count as unsupported.
const checksMax = 2_000;

/**
 * The text of an answer while it is written. A marker that no retrieved passage supports is taken
 * out before anybody sees it, and so the text is the same whether it is read at the end or as it
 * comes. The cost of a piece depends on its own length and not on what was written before: a model
 * may write 80,000 blanks one by one.
 */
export class CitedText {
  readonly #passages: Passages;
  readonly #details = new Map<number, CitationDetail>();
  /** Blanks at the end so far: they are removed when a removed marker follows. */
  #blanks = '';
  /** The beginning of what may become a marker. */
  #bracket = '';
  #text = '';
  /** The end of the text, with the statement that the next marker follows. */
  #recent = '';
  /** Of the markers that stand behind one statement: which of them its passage supports. */
  #checkedMarkers: { statement: string; supported: Map<number, boolean> } | undefined;
  #checks = 0;

  constructor(passages: Passages) {
    this.#passages = passages;
  }

  get text(): string {
    return this.#text;
  }

  /** In order of first use. */
  get details(): CitationDetail[] {
    return [...this.#details.values()];
  }

  /** Takes what the model wrote next, and gives what can be shown by now. */
  push(written: string): string {
    let shown = '';
    const show = (text: string) => {
      shown += text;
      this.#show(text);
    };
    const showPlain = (text: string) => {
      show(text);
      this.#checkedMarkers = undefined;
    };
    let rest = this.#bracket + written;
    this.#bracket = '';
    while (rest !== '') {
      if (!rest.startsWith('[')) {
        const bracket = rest.indexOf('[');
        const plain = bracket < 0 ? rest : rest.slice(0, bracket);
        const end = endWithoutBlanks(plain);
        if (end > 0) showPlain(this.#takeBlanks() + plain.slice(0, end));
        this.#blanks += plain.slice(end);
        rest = rest.slice(plain.length);
        continue;
      }
      const start = rest.slice(0, markerCharactersMax + 2);
      const [whole, numbers] = marker.exec(start) ?? [];
      if (whole !== undefined && numbers !== undefined) {
        const blanks = this.#takeBlanks();
        const supported = [...new Set(numbers.split(/[,;]/).map(Number))].filter((number) =>
          this.#cite(number),
        );
        if (supported.length > 0) show(blanks + supported.map((number) => `[${number}]`).join(''));
        rest = rest.slice(whole.length);
      } else if (rest.length === start.length && unfinishedMarker.test(rest)) {
        this.#bracket = rest;
        rest = '';
      } else {
        showPlain(`${this.#takeBlanks()}[`);
        rest = rest.slice(1);
      }
    }
    return shown;
  }

  /** The model has ended: the characters that waited for the rest of a marker are plain text. */
  end(): string {
    const rest = this.#takeBlanks() + this.#bracket;
    this.#bracket = '';
    this.#show(rest);
    return rest;
  }

  #show(text: string): void {
    this.#text += text;
    this.#recent = (this.#recent + text.slice(-statementCharacters)).slice(-statementCharacters);
  }

  #takeBlanks(): string {
    const blanks = this.#blanks;
    this.#blanks = '';
    return blanks;
  }

  #cite(number: number): boolean {
    const passage = this.#passages.get(number);
    if (!passage) return false;
    this.#checkedMarkers ??= { statement: this.#statement(), supported: new Map() };
    const { statement, supported: known } = this.#checkedMarkers;
    const supported = known.get(number) ?? this.#check(statement, passage);
    known.set(number, supported);
    return supported;
  }

  #check(statement: string, passage: NumberedPassage): boolean {
    this.#checks += 1;
    if (this.#checks > checksMax) return false;
    const { quote, supported } = supportFor(statement, passage);
    if (supported && !this.#details.has(passage.number))
      this.#details.set(passage.number, detailOf(passage, quote));
    return supported;
  }

  /** The sentence that the marker stands behind. */
  #statement(): string {
    if (this.#checks >= checksMax) return '';
    // The lookbehind lets a match begin at the first blank of a run only; without it a run of
    // blanks costs its square.
    const said = this.#recent.replaceAll(/(?<!\s)\s*\[\d+\]/g, '');
    return sentencesOf(said.slice(said.trimEnd().lastIndexOf('\n') + 1)).at(-1)?.text ?? '';
  }
}

function endWithoutBlanks(text: string): number {
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

/** Each source once, in order of first use, with its page where it has pages. */
export const locatorsOf = (details: readonly CitationDetail[]): string[] => [
  ...new Set(
    details.map(({ originalName, page }) =>
      page === null ? originalName : `${originalName}#page=${page}`,
    ),
  ),
];
