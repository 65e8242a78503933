import { inspect, isDeepStrictEqual } from 'node:util';

/**
 * A condition for a value that has no single expected value. `words` continue the sentence
 * "expected …".
 */
export class Matcher {
  readonly words: string;
  readonly fits: (value: unknown) => boolean;

  constructor(words: string, fits: (value: unknown) => boolean) {
    this.words = words;
    this.fits = fits;
  }
}

/**
 * The fields of an object. Further fields are allowed, because the contract may add fields (D11).
 */
export type Shape = Readonly<Record<string, Matcher>>;

export const text = new Matcher('a string', (value) => typeof value === 'string');
export const filledText = new Matcher(
  'a string that is not empty',
  (value) => typeof value === 'string' && value.trim() !== '',
);
export const boolean = new Matcher('a boolean', (value) => typeof value === 'boolean');
export const number = new Matcher('a number', (value) => typeof value === 'number');
export const integer = new Matcher(
  'an integer of at least 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const time = new Matcher(
  'an ISO 8601 time in UTC with milliseconds',
  (value) =>
    typeof value === 'string' && timePattern.test(value) && !Number.isNaN(Date.parse(value)),
);

export const orNull = (matcher: Matcher) =>
  new Matcher(`${matcher.words}, or null`, (value) => value === null || matcher.fits(value));
export const listOf = (matcher: Matcher) =>
  new Matcher(
    `a list, of each item ${matcher.words}`,
    (value) => Array.isArray(value) && value.every(matcher.fits),
  );
export const oneOf = (...values: readonly unknown[]) =>
  new Matcher(`one of ${values.map(String).join(', ')}`, (value) => values.includes(value));
export const not = (unwanted: unknown) =>
  new Matcher(`not ${inspect(unwanted)}`, (value) => !isDeepStrictEqual(value, unwanted));
export const atLeast = (min: number) =>
  new Matcher(
    `an integer of at least ${min}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= min,
  );
export const between = (min: number, max: number) =>
  new Matcher(
    `a number from ${min} to ${max}`,
    (value) => typeof value === 'number' && value >= min && value <= max,
  );
export const matching = (pattern: RegExp) =>
  new Matcher(
    `text that fits ${pattern}`,
    (value) => typeof value === 'string' && pattern.test(value),
  );
export const including = (...parts: readonly string[]) =>
  new Matcher(
    `text with ${parts.map((part) => `"${part}"`).join(' and ')}`,
    (value) => typeof value === 'string' && parts.every((part) => value.includes(part)),
  );
export const hasItem = (item: unknown) =>
  new Matcher(
    `a list with ${inspect(item)}`,
    (value) =>
      Array.isArray(value) && value.some((candidate) => isDeepStrictEqual(candidate, item)),
  );

export const objectWith = (shape: Shape) =>
  new Matcher(
    `an object with ${Object.keys(shape).join(', ')}`,
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(shape).every(([name, matcher]) => matcher.fits(Object(value)[name])),
  );

export const fits = (expected: unknown, value: unknown): boolean =>
  expected instanceof Matcher ? expected.fits(value) : isDeepStrictEqual(value, expected);
export const wordsOf = (expected: unknown): string =>
  expected instanceof Matcher
    ? expected.words
    : inspect(expected, { breakLength: Number.POSITIVE_INFINITY });
