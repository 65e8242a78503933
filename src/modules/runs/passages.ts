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
  #lastNumber = 0;

  add(passage: FoundPassage): NumberedPassage {
    const existing = this.get(this.#numbers.get(keyOf(passage)) ?? 0);
    if (existing) return existing;
    const numbered = { ...passage, number: this.#lastNumber + 1 };
    this.restore(numbered);
    return numbered;
  }

  /** Adds a passage with the number that it had before the run was interrupted. */
  restore(passage: NumberedPassage): void {
    this.#numbers.set(keyOf(passage), passage.number);
    this.#byNumber.set(passage.number, passage);
    this.#lastNumber = Math.max(this.#lastNumber, passage.number);
  }

  get(number: number): NumberedPassage | undefined {
    return this.#byNumber.get(number);
  }
}

const keyOf = ({ versionId, originalName, ordinal }: FoundPassage): string =>
  JSON.stringify([versionId, originalName, ordinal]);
