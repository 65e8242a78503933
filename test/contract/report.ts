import { inspect } from 'node:util';
import type { Answer } from './answer.ts';
import { fits, type Shape, wordsOf } from './matchers.ts';

export type Failure = { title: string; request: string; expected: string; got: string };

/**
 * `title` begins with where the rule stands: a decision (D7), or a part of the specification (4.3).
 */
export type Check = (title: string, answer: Answer, got: unknown, expected: unknown) => boolean;

/** Counts checks. Checks of the same title are one, which fails where one of them does. */
export class Report {
  readonly #titles = new Set<string>();
  readonly #failures = new Map<string, Failure>();
  /** What was not checked, and why. */
  readonly leftOut = new Map<string, string>();
  /** What the suite could not remove from the deployment. */
  readonly remains: string[] = [];

  readonly check: Check = (title, answer, got, expected) => {
    this.#titles.add(title);
    if (fits(expected, got)) return true;
    if (!this.#failures.has(title))
      this.#failures.set(title, {
        title,
        request: answer.request,
        expected: wordsOf(expected),
        got: shown(got, answer),
      });
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

  /** A check that could not be made because the request before it went wrong. */
  fail(title: string, error: unknown): void {
    this.#titles.add(title);
    this.#failures.set(title, {
      title,
      request: '-',
      expected: 'the area to be checked to its end',
      got: (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' '),
    });
  }
}

/** Each field of an object as a check of its own. */
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

const charsMax = 300;

function shown(got: unknown, { status, text }: Answer): string {
  const value = inspect(got, { breakLength: Number.POSITIVE_INFINITY, depth: 4 });
  return `${value.slice(0, charsMax)} in ${status} ${text.replaceAll(/\s+/g, ' ').slice(0, charsMax)}`;
}
