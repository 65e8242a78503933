import {
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { FieldErrorCode } from '../platform/errors.ts';
import { jsonKindOf } from '../platform/parse-json.ts';
import { hasDirectionControl, isVisible, namesSite } from '../platform/plain-text.ts';
import { dateTimeExpectation, readDateTime } from './date-time.ts';

/**
 * What a value must be, for people in `expectation` ("must be …") and for OpenAPI in `jsonSchema`.
 */
type ScalarContract = {
  expectation: string;
  jsonSchema: Record<string, unknown>;
  description: string;
};

declare module 'graphql' {
  interface GraphQLScalarTypeExtensions {
    contract?: ScalarContract;
  }
}

/**
 * A value that its scalar refuses. The message goes on where the name of the value ends ("must …",
 * or ": …"), and never repeats the value. `place` is the part of the value that is wrong, such as
 * `[2]`.
 */
export class InputFault extends GraphQLError {
  readonly code: FieldErrorCode;
  readonly place: string;

  constructor(
    code: FieldErrorCode,
    message: string,
    { place = '', node = null }: { place?: string; node?: ValueNode | null } = {},
  ) {
    super(message, { nodes: node });
    this.code = code;
    this.place = place;
  }
}

/**
 * Answers undefined to a value that is not at all what it expects; what is nearly right it refuses
 * with a fault of its own.
 */
type Parse<T> = (value: unknown) => T | undefined;

const kinds: Readonly<Record<string, readonly string[]>> = {
  string: ['a string'],
  integer: ['a number'],
  number: ['a number', 'a fraction'],
  boolean: ['a boolean'],
  array: ['a list'],
};

type Wanted = { expectation: string; jsonType: unknown };

/**
 * Why a value does not meet an expectation: it is null, it has another type, or it has the type and
 * is outside what is allowed.
 */
export function mismatch(
  { expectation, jsonType }: Wanted,
  value: unknown,
): { code: FieldErrorCode; message: string } {
  const kind = jsonKindOf(value);
  if (value === null) return { code: 'NOT_NULLABLE', message: `must be ${expectation}, not null` };
  if (kinds[String(jsonType)]?.includes(kind) === false)
    return { code: 'WRONG_TYPE', message: `must be ${expectation}, not ${kind}` };
  return {
    code: jsonType === 'integer' || jsonType === 'number' ? 'OUT_OF_RANGE' : 'INVALID_FORMAT',
    message: `must be ${expectation}`,
  };
}

/** A scalar from one parse function. Literals in a query meet the same function. */
export function scalar<T>(
  name: string,
  contract: ScalarContract,
  parse: Parse<T>,
  serialize: (value: unknown) => unknown = (value) => value,
) {
  const wanted = { expectation: contract.expectation, jsonType: contract.jsonSchema['type'] };
  const accept = (value: unknown): T => {
    const parsed = parse(value);
    if (parsed !== undefined) return parsed;
    const { code, message } = mismatch(wanted, value);
    throw new InputFault(code, message);
  };
  return new GraphQLScalarType({
    name,
    description: contract.description,
    serialize,
    parseValue: accept,
    parseLiteral: (node, variables) => {
      // GraphQL writes an enum's value like a string without quotes; no scalar of ours takes that
      // for a text.
      if (node.kind === Kind.ENUM)
        throw new InputFault(
          'WRONG_TYPE',
          `must be ${contract.expectation}, not a name without quotes`,
          { node },
        );
      try {
        return accept(valueFromASTUntyped(node, variables));
      } catch (error) {
        // Where it stands in the document.
        throw error instanceof InputFault
          ? new InputFault(error.code, error.message, { place: error.place, node })
          : error;
      }
    },
    extensions: { contract },
  });
}

/** Text that Postgres and JSON can hold: no NUL, no half of a surrogate pair. */
export const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');

/** Refuses text that Postgres or JSON cannot hold. */
export function requireStorable(text: string): void {
  if (text.includes('\0'))
    throw new InputFault('INVALID_CHARACTERS', 'must not contain control characters');
  if (!text.isWellFormed())
    throw new InputFault('INVALID_CHARACTERS', 'must not contain half of a surrogate pair');
}

/** Refuses text whose number of code points is out of bounds. */
export function requireLength(text: string, { min, max }: { min: number; max: number }): void {
  const expectation = textExpectation({ min, max });
  // The cheap bound comes first: nobody counts the code points of a megabyte.
  if (text.length > 4 * max + 1000)
    throw new InputFault('TOO_LONG', `must be ${expectation}, but has more`);
  const length = [...text].length;
  if (length > max) throw new InputFault('TOO_LONG', `must be ${expectation}, but has ${length}`);
  if (length < min)
    throw new InputFault(
      'TOO_SHORT',
      `must be ${expectation}, but ${length === 0 ? 'is empty' : `has ${length}`}`,
    );
}

const textExpectation = ({ min, max }: { min: number; max: number }) =>
  min === 0 ? `a string of at most ${max} characters` : `a string of ${min} to ${max} characters`;

/**
 * `isName`: what people and organizations are called, which stands in mails, so that it must not
 * name a site.
 */
type TextBounds = {
  min: number;
  max: number;
  description: string;
  lines?: 'one' | 'many';
  isName?: boolean;
};

/**
 * Text that is trimmed, has no control characters (but line breaks and tabs where it may have many
 * lines), and whose length counts code points.
 */
export function textScalar(
  name: string,
  { min, max, description, lines = 'one', isName = false }: TextBounds,
) {
  const unwanted = lines === 'one' ? /\p{Cc}/u : /[^\P{Cc}\n\r\t]/u;
  const besides = lines === 'one' ? '' : ' other than line breaks and tabs';
  const contract = {
    expectation: textExpectation({ min, max }),
    description,
    jsonSchema: { type: 'string', minLength: min, maxLength: max },
  };
  return scalar(name, contract, (value) => {
    if (typeof value !== 'string') return undefined;
    // Nobody looks for characters in a megabyte either.
    if (value.length > 4 * max + 1000) requireLength(value, { min, max });
    requireStorable(value);
    const text = value.trim();
    if (unwanted.test(text))
      throw new InputFault('INVALID_CHARACTERS', `must not contain control characters${besides}`);
    requireLength(text, { min, max });
    if (hasDirectionControl(text))
      throw new InputFault(
        'INVALID_CHARACTERS',
        'must not contain characters that change the direction of text',
      );
    if (lines === 'one' && text !== '' && !isVisible(text))
      throw new InputFault('INVALID_CHARACTERS', 'must contain a visible character');
    if (isName && namesSite(text))
      throw new InputFault('INVALID', 'must not contain the address of a site');
    return text;
  });
}

export function integerScalar(
  name: string,
  { min, max, description }: { min: number; max: number; description: string },
) {
  const expectation =
    max === Number.MAX_SAFE_INTEGER
      ? `an integer of at least ${min}`
      : `an integer from ${min} to ${max}`;
  return scalar(
    name,
    { expectation, description, jsonSchema: { type: 'integer', minimum: min, maximum: max } },
    (value) =>
      Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
        ? Number(value)
        : undefined,
  );
}

type ListContract = {
  items: Record<string, unknown>;
  noun: string;
  item: string;
  max: number;
  description: string;
};

/**
 * A whole list as one value: at most so many items, each once. GraphQL's own lists have no bound,
 * take a single value for a list of one, and name every wrong item of a megabyte.
 */
export function listScalar(
  name: string,
  { items, noun, item: itemExpectation, max, description }: ListContract,
  parseItem: Parse<string>,
) {
  const jsonSchema = { type: 'array', maxItems: max, items };
  const expectation = `a list of at most ${max} ${noun}`;
  return scalar<string[]>(name, { expectation, description, jsonSchema }, (value) => {
    if (!Array.isArray(value)) return undefined;
    if (value.length > max)
      throw new InputFault('TOO_LONG', `must be ${expectation}, but has ${value.length}`);
    return [...new Set(value.map((item, index) => parseAt(index, item)))];
  });

  function parseAt(index: number, item: unknown): string {
    const place = `[${index}]`;
    try {
      const accepted = parseItem(item);
      if (accepted !== undefined) return accepted;
    } catch (error) {
      throw error instanceof InputFault
        ? new InputFault(error.code, error.message, { place })
        : error;
    }
    const { code, message } = mismatch(
      { expectation: itemExpectation, jsonType: items['type'] },
      item,
    );
    throw new InputFault(code, message, { place });
  }
}

export const DateTime = scalar<Date>(
  'DateTime',
  {
    expectation: dateTimeExpectation,
    description: 'An ISO 8601 date-time; answers are in UTC with milliseconds.',
    jsonSchema: { type: 'string', format: 'date-time' },
  },
  (value) => {
    if (typeof value !== 'string') return undefined;
    const date = readDateTime(value);
    if (date instanceof Date) return date;
    throw new InputFault(date.code, date.message);
  },
  (value) => (value instanceof Date ? value.toISOString() : value),
);

/**
 * Any text is a possible id; one that nothing can have is simply not found. Pothos gives ID itself
 * to graphql-js, which takes numbers too.
 */
export const ResourceId = scalar<string>(
  'ResourceId',
  {
    expectation: 'a string',
    description: 'The id of a resource, as an argument.',
    jsonSchema: { type: 'string' },
  },
  (value) => {
    if (typeof value !== 'string') return undefined;
    requireStorable(value);
    return value;
  },
);

export const PageNumber = integerScalar('PageNumber', {
  min: 1,
  max: Number.MAX_SAFE_INTEGER,
  description: 'The number of a page, from 1.',
});
export const PageSize = integerScalar('PageSize', {
  min: 1,
  max: 100,
  description: 'How many entries a page has: 1 to 100.',
});
export const SearchText = scalar<string>(
  'SearchText',
  {
    expectation: textExpectation({ min: 0, max: 200 }),
    description: 'Looked for anywhere in the text, whatever its case.',
    jsonSchema: { type: 'string', maxLength: 200 },
  },
  (value) => {
    if (typeof value !== 'string') return undefined;
    requireStorable(value);
    const text = value.trim();
    requireLength(text, { min: 0, max: 200 });
    return text;
  },
);
export const Json = scalar<unknown>(
  'JSON',
  { expectation: 'a JSON value', description: 'Any JSON value.', jsonSchema: {} },
  (value) => value,
);
