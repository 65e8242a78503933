import { inspect } from 'node:util';
import type { Answer } from './answer.ts';
import { fits, type Shape, wordsOf } from './matchers.ts';

export type Failure = { title: string; request: string; expected: string; actual: string };

/**
 * `title` begins with the source of the rule: a decision (D7) or a part of the specification (4.3).
 */
export type Check = (title: string, answer: Answer, actual: unknown, expected: unknown) => boolean;

/** The failure that the run was to stop at. */
export class Stopped extends Error {}

/** Counts checks. Checks with the same title count once and fail if one of them fails. */
export class Report {
  readonly #titles = new Set<string>();
  readonly #failures = new Map<string, Failure>();
  /** What was not checked, with the reason. */
  readonly skipped = new Map<string, string>();
  /** What the suite could not remove from the deployment. */
  readonly leftBehind: string[] = [];
  #stopAt: RegExp | undefined;

  constructor({ stopAt }: { stopAt?: RegExp | undefined } = {}) {
    this.#stopAt = stopAt;
  }

  readonly check: Check = (title, answer, actual, expected) => {
    this.#titles.add(title);
    if (fits(expected, actual)) return true;
    if (!this.#failures.has(title))
      this.#failures.set(title, {
        title,
        request: answer.request,
        expected: wordsOf(expected),
        actual: formatActual(actual, answer),
      });
    if (this.#stopAt?.test(title)) {
      // Not again during the cleanup.
      this.#stopAt = undefined;
      throw new Stopped(title);
    }
    return false;
  };

  get count(): number {
    return this.#titles.size;
  }

  get titles(): readonly string[] {
    return [...this.#titles];
  }

  get failures(): readonly Failure[] {
    return [...this.#failures.values()];
  }

  /** Records a check that could not run because an earlier request failed. */
  fail(title: string, error: unknown): void {
    this.#titles.add(title);
    this.#failures.set(title, {
      title,
      request: '-',
      expected: 'the checks of the area to run to the end',
      actual: (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' '),
    });
  }
}

/** Checks each field of an object separately. */
export function checkShape(
  check: Check,
  title: string,
  answer: Answer,
  value: unknown,
  shape: Shape,
): void {
  for (const [field, matcher] of Object.entries(shape))
    check(`${title} has ${field}, ${matcher.words}`, answer, Object(value)[field], matcher);
}

const shownCharactersMax = 300;

function formatActual(actual: unknown, { status, text }: Answer): string {
  const value = inspect(actual, { breakLength: Number.POSITIVE_INFINITY, depth: 4 });
  return `${value.slice(0, shownCharactersMax)} in ${status} ${text.replaceAll(/\s+/g, ' ').slice(0, shownCharactersMax)}`;
}
