/**
 * A passage of a file that a search found. `documentId` and `versionId` are null for a file that
 * was sent with the run.
 */
export type FoundPassage = {
  documentId: string | null;
  /** The version of the file that contains the text. */
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
 * The passages that the model has seen in one run. Each keeps the number that it was first shown
 * with.
 */
export class Passages {
  readonly #byNumber = new Map<number, NumberedPassage>();
  readonly #numbers = new Map<string, number>();

  add(passage: FoundPassage): NumberedPassage {
    const key = JSON.stringify([passage.versionId, passage.originalName, passage.ordinal]);
    const existing = this.get(this.#numbers.get(key) ?? 0);
    if (existing) return existing;
    const numbered = { ...passage, number: this.#byNumber.size + 1 };
    this.#numbers.set(key, numbered.number);
    this.#byNumber.set(numbered.number, numbered);
    return numbered;
  }

  get(number: number): NumberedPassage | undefined {
    return this.#byNumber.get(number);
  }
}
