import type { NumberedPassage, Passages } from './passages.ts';
import type { CitationDetail } from './run-result.ts';
import { sentencesOf } from './sentences.ts';
import { supportFor } from './support.ts';

const marker = /([ \t]*)\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]/;
// What may still become a marker, with the blanks before it, which go when the marker goes.
const unfinished = /[ \t]*(?:\[[\d\s,;]{0,60})?$/;
const statementCharacters = 800;

/**
 * The text of an answer while it is written. A marker that no retrieved passage supports is taken out before anybody sees it,
 * and so the text is the same whether it is read at the end or as it comes.
 */
export class CitedText {
  readonly #passages: Passages;
  readonly #details = new Map<number, CitationDetail>();
  #held = '';
  #text = '';

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
    const before = this.#text.length;
    this.#held += written;
    for (let found = marker.exec(this.#held); found; found = marker.exec(this.#held)) {
      const [whole, blanks = '', numbers = ''] = found;
      this.#text += this.#held.slice(0, found.index);
      this.#held = this.#held.slice(found.index + whole.length);
      const kept = [...new Set(numbers.split(/[,;]/).map(Number))].filter((number) => this.#cite(number));
      if (kept.length > 0) this.#text += blanks + kept.map((number) => `[${number}]`).join('');
    }
    const open = unfinished.exec(this.#held)?.index ?? this.#held.length;
    this.#text += this.#held.slice(0, open);
    this.#held = this.#held.slice(open);
    return this.#text.slice(before);
  }

  /** The model has ended: what was held back is no marker. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    this.#text += rest;
    return rest;
  }

  #cite(number: number): boolean {
    const passage = this.#passages.get(number);
    if (!passage) return false;
    const { quote, supported } = supportFor(this.#statement(), passage);
    if (supported && !this.#details.has(number)) this.#details.set(number, detailOf(passage, quote));
    return supported;
  }

  /** The sentence that the marker stands behind. */
  #statement(): string {
    const said = this.#text.slice(-statementCharacters).replaceAll(/\s*\[\d+\]/g, '');
    return sentencesOf(said.slice(said.trimEnd().lastIndexOf('\n') + 1)).at(-1)?.text ?? '';
  }
}

const detailOf = (
  { number, documentId, originalName, page, start, score }: NumberedPassage,
  quote: { text: string; start: number; end: number },
): CitationDetail => ({
  marker: number,
  documentId,
  originalName,
  page,
  start: start + quote.start,
  end: start + quote.end,
  quote: quote.text,
  score,
});

/** Each source once, in order of first use, with its page where it has pages. */
export const locatorsOf = (details: readonly CitationDetail[]): string[] => [
  ...new Set(details.map(({ originalName, page }) => (page === null ? originalName : `${originalName}#page=${page}`))),
];
