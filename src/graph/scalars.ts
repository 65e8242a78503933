import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';

import { hasDirectionControl, isVisible, namesSite } from '../platform/plain-text.ts';

/** What a value must be, for people in `expectation` ("must be …") and for OpenAPI in `jsonSchema`. */
type ScalarContract = { expectation: string; jsonSchema: Record<string, unknown>; description: string };

declare module 'graphql' {
  interface GraphQLScalarTypeExtensions {
    contract?: ScalarContract;
  }
}

/** A value that its scalar refuses. The message never repeats the value. */
export class InputFault extends GraphQLError {}

type Parse<T> = (value: unknown) => T | undefined;

/** A scalar from one parse function, which answers undefined to what it refuses. Literals in a query meet the same function. */
export function scalar<T>(name: string, contract: ScalarContract, parse: Parse<T>, serialize: (value: unknown) => unknown = (value) => value) {
  const accept = (value: unknown): T => {
    const parsed = parse(value);
    if (parsed === undefined) throw new InputFault(`must be ${contract.expectation}`);
    return parsed;
  };
  return new GraphQLScalarType({
    name,
    description: contract.description,
    serialize,
    parseValue: accept,
    parseLiteral: (node, variables) => {
      // GraphQL writes an enum's value like a string without quotes; no scalar of ours takes that for a text.
      if (node.kind === Kind.ENUM) throw new InputFault(`must be ${contract.expectation}`);
      return accept(valueFromASTUntyped(node, variables));
    },
    extensions: { contract },
  });
}

/** Text that Postgres and JSON can hold: no NUL, no half of a surrogate pair. */
export const isStorable = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed() && !value.includes('\0');

/** `isName`: what people and organizations are called, which stands in mails, so that it must not name a site. */
type TextBounds = { min: number; max: number; description: string; lines?: 'one' | 'many'; isName?: boolean };

/** Text that is trimmed, has no control characters (but line breaks and tabs where it may have many lines), and whose length counts code points. */
export function textScalar(name: string, { min, max, description, lines = 'one', isName = false }: TextBounds) {
  const unwanted = lines === 'one' ? /\p{Cc}/u : /[^\P{Cc}\n\r\t]/u;
  const expectation = min === 0 ? `a string of at most ${max} characters` : `a string of ${min} to ${max} characters`;
  return scalar(name, { expectation, description, jsonSchema: { type: 'string', minLength: min, maxLength: max } }, (value) => {
    // The cheap bound comes first: nobody counts the code points of a megabyte.
    if (!isStorable(value) || value.length > 4 * max + 1000) return undefined;
    const text = value.trim();
    const length = [...text].length;
    if (length < min || length > max || unwanted.test(text)) return undefined;
    if (hasDirectionControl(text)) throw new InputFault('must not have characters that change the direction of text');
    if (lines === 'one' && text !== '' && !isVisible(text)) throw new InputFault('must have a visible character');
    if (isName && namesSite(text)) throw new InputFault('must not contain the address of a site');
    return text;
  });
}

export function integerScalar(name: string, { min, max, description }: { min: number; max: number; description: string }) {
  const expectation = max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`;
  return scalar(name, { expectation, description, jsonSchema: { type: 'integer', minimum: min, maximum: max } }, (value) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
  );
}

type ListContract = { items: Record<string, unknown>; noun: string; max: number; description: string };

/**
 * A whole list as one value: at most so many items, each once. GraphQL's own lists have no bound, take a single value for a
 * list of one, and name every wrong item of a megabyte.
 */
export function listScalar(name: string, { items, noun, max, description }: ListContract, parseItem: Parse<string>) {
  const jsonSchema = { type: 'array', maxItems: max, items };
  return scalar<string[]>(name, { expectation: `a list of at most ${max} ${noun}`, description, jsonSchema }, (value) => {
    if (!Array.isArray(value) || value.length > max) return undefined;
    const parsed = new Set<string>();
    for (const [index, item] of value.entries()) {
      const accepted = parseItem(item);
      if (accepted === undefined) throw new InputFault(`must be a list of at most ${max} ${noun}; item ${index + 1} is none`);
      parsed.add(accepted);
    }
    return [...parsed];
  });
}

const dateTimePattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** RFC 3339 with a zone; a day that the calendar does not have is refused, not moved. */
export function parseDateTime(value: unknown): Date | undefined {
  const parts = typeof value === 'string' ? dateTimePattern.exec(value.toUpperCase()) : null;
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts.map(Number) as [number, number, number, number, number, number, number];
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(parts[0]);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999 ? undefined : date;
}

export const DateTime = scalar<Date>(
  'DateTime',
  {
    expectation: 'an ISO 8601 date-time with a time zone',
    description: 'An ISO 8601 date-time; answers are in UTC with milliseconds.',
    jsonSchema: { type: 'string', format: 'date-time' },
  },
  parseDateTime,
  (value) => (value instanceof Date ? value.toISOString() : value),
);

/** Any text is a possible id; one that nothing can have is simply not found. Pothos gives ID itself to graphql-js, which takes numbers too. */
export const ResourceId = scalar<string>(
  'ResourceId',
  { expectation: 'a string', description: 'The id of a resource, as an argument.', jsonSchema: { type: 'string' } },
  (value) => (isStorable(value) ? value : undefined),
);

export const PageNumber = integerScalar('PageNumber', { min: 1, max: Number.MAX_SAFE_INTEGER, description: 'The number of a page, from 1.' });
export const PageSize = integerScalar('PageSize', { min: 1, max: 100, description: 'How many entries a page has: 1 to 100.' });
export const SearchText = scalar<string>(
  'SearchText',
  {
    expectation: 'a string of at most 200 characters',
    description: 'Looked for anywhere in the text, whatever its case.',
    jsonSchema: { type: 'string', maxLength: 200 },
  },
  (value) => (isStorable(value) && value.length <= 400 && [...value].length <= 200 ? value : undefined),
);
export const Json = scalar<unknown>('JSON', { expectation: 'a JSON value', description: 'Any JSON value.', jsonSchema: {} }, (value) => value);
