import {
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { FieldErrorCode } from '../../platform/errors.ts';
import { InputFault } from '../../platform/input-fault.ts';
import { jsonKindOf } from '../../platform/parse-json.ts';
import { hasDirectionControl, isVisible, namesSite } from '../../platform/plain-text.ts';
import { dateTimeExpectation, readDateTime } from './date-time.ts';

/** What a value must be: `expectation` is for people ("must be …"), `jsonSchema` for OpenAPI. */
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

/** An InputFault as GraphQL reports it, with the position of a literal in the document. */
export class ScalarError extends GraphQLError {
  readonly code: FieldErrorCode;
  readonly subpath: string;

  constructor({ code, message, subpath }: InputFault, node: ValueNode | null) {
    super(message, { nodes: node });
    this.code = code;
    this.subpath = subpath;
  }
}

/**
 * Returns undefined for a value of another kind, and throws an InputFault for a value of the right
 * kind that is invalid.
 */
type ParseScalar<T> = (value: unknown) => T | undefined;

const kinds: Readonly<Record<string, readonly string[]>> = {
  string: ['a string'],
  integer: ['a number'],
  number: ['a number', 'a fraction'],
  boolean: ['a boolean'],
  array: ['a list'],
};

type ValueExpectation = { expectation: string; jsonType: unknown };

/**
 * The reason why a value is invalid: it is null, it has another type, or it has the right type and
 * is out of bounds.
 */
export function mismatch(
  { expectation, jsonType }: ValueExpectation,
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

/** Creates a scalar from one parse function, which also parses literals in documents. */
export function scalar<T>(
  name: string,
  contract: ScalarContract,
  parse: ParseScalar<T>,
  serialize: (value: unknown) => unknown = (value) => value,
) {
  const valueExpectation = {
    expectation: contract.expectation,
    jsonType: contract.jsonSchema['type'],
  };
  const accept = (value: unknown, node: ValueNode | null = null): T => {
    try {
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      const { code, message } = mismatch(valueExpectation, value);
      throw new InputFault(code, message);
    } catch (error) {
      throw error instanceof InputFault ? new ScalarError(error, node) : error;
    }
  };
  return new GraphQLScalarType({
    name,
    description: contract.description,
    serialize,
    parseValue: (value) => accept(value),
    parseLiteral: (node, variables) => {
      // An enum value in a document is a name without quotes, which no custom scalar accepts as a
      // string.
      if (node.kind === Kind.ENUM)
        throw new ScalarError(
          new InputFault(
            'WRONG_TYPE',
            `must be ${contract.expectation}, not a name without quotes`,
          ),
          node,
        );
      return accept(valueFromASTUntyped(node, variables), node);
    },
    extensions: { contract },
  });
}

/** Throws if Postgres or JSON cannot store the text. */
export function requireStorable(text: string): void {
  if (text.includes('\0'))
    throw new InputFault('INVALID_CHARACTERS', 'must not contain control characters');
  if (!text.isWellFormed())
    throw new InputFault('INVALID_CHARACTERS', 'must not contain half of a surrogate pair');
}

/** Throws if the number of code points is out of bounds. */
export function requireLength(text: string, { min, max }: { min: number; max: number }): void {
  const expectation = textExpectation({ min, max });
  // The cheap check comes first, so that the code points of a megabyte are not counted.
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
 * `isName`: names of people and organizations appear in emails, so they must not contain the
 * address of a site.
 */
type TextBounds = {
  min: number;
  max: number;
  description: string;
  lines?: 'one' | 'many';
  isName?: boolean;
};

/**
 * A text that is trimmed and contains no control characters (except line breaks and tabs with
 * `lines: 'many'`). Its length counts code points.
 */
export function textScalar(
  name: string,
  { min, max, description, lines = 'one', isName = false }: TextBounds,
) {
  const forbidden = lines === 'one' ? /\p{Cc}/u : /[^\P{Cc}\n\r\t]/u;
  const exception = lines === 'one' ? '' : ' other than line breaks and tabs';
  const contract = {
    expectation: textExpectation({ min, max }),
    description,
    jsonSchema: { type: 'string', minLength: min, maxLength: max },
  };
  return scalar(name, contract, (value) => {
    if (typeof value !== 'string') return undefined;
    // The length check also precedes the search for characters.
    if (value.length > 4 * max + 1000) requireLength(value, { min, max });
    requireStorable(value);
    const text = value.trim();
    if (forbidden.test(text))
      throw new InputFault('INVALID_CHARACTERS', `must not contain control characters${exception}`);
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
 * A list as a single scalar with at most `max` distinct items. GraphQL's own lists have no bound,
 * accept a single value as a list of one, and report every invalid item of a megabyte.
 */
export function listScalar(
  name: string,
  { items, noun, item: itemExpectation, max, description }: ListContract,
  parseItem: ParseScalar<string>,
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
    const subpath = `[${index}]`;
    try {
      const accepted = parseItem(item);
      if (accepted !== undefined) return accepted;
    } catch (error) {
      throw error instanceof InputFault
        ? new InputFault(error.code, error.message, subpath)
        : error;
    }
    const { code, message } = mismatch(
      { expectation: itemExpectation, jsonType: items['type'] },
      item,
    );
    throw new InputFault(code, message, subpath);
  }
}

export const DateTime = scalar<Date>(
  'DateTime',
  {
    expectation: dateTimeExpectation,
    description: 'An ISO 8601 date-time; responses are in UTC with milliseconds.',
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
 * Any text is accepted as an id; an unknown one is not found. The ID type of graphql-js would also
 * accept numbers.
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
  description: 'The number of a page, starting at 1.',
});
export const PageSize = integerScalar('PageSize', {
  min: 1,
  max: 100,
  description: 'The number of entries per page: 1 to 100.',
});
export const SearchText = scalar<string>(
  'SearchText',
  {
    expectation: textExpectation({ min: 0, max: 200 }),
    description: 'Text to search for, at any position and in any letter case.',
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
