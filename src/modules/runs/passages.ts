/**
 * A stretch of a file as a search found it. `documentId` and `versionId` are null for a file that
 * was sent with the run.
 */
export type FoundPassage = {
  documentId: string | null;
  /** The version of the file that the text stands in. */
  versionId: string | null;
  isPreviousVersion: boolean;
  originalName: string;
  ordinal: number;
  text: string;
  page: number | null;
  headings: readonly string[];
  start: number;
  end: number;
  score: number;
};

export type NumberedPassage = FoundPassage & { number: number };

/**
 * The passages that the model has seen in one run. Each keeps the number under which it was shown
 * first.
 */
export class Passages {
  readonly #byNumber = new Map<number, NumberedPassage>();
  readonly #numbers = new Map<string, number>();

  add(passage: FoundPassage): NumberedPassage {
    const name = JSON.stringify([passage.versionId, passage.originalName, passage.ordinal]);
    const known = this.get(this.#numbers.get(name) ?? 0);
    if (known) return known;
    const numbered = { ...passage, number: this.#byNumber.size + 1 };
    this.#numbers.set(name, numbered.number);
    this.#byNumber.set(numbered.number, numbered);
    return numbered;
  }

  get(number: number): NumberedPassage | undefined {
    return this.#byNumber.get(number);
  }
}
