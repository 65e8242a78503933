import { InputFault, parseItems } from '../../platform/input-fault.ts';
import { hasDirectionControl, isVisible, namesSite } from '../../platform/plain-text.ts';
import { mismatch } from './scalars.ts';

/**
 * What the values of an argument or input field must be beside their type. `expectation` is for
 * people ("must be …"), `jsonSchema` for OpenAPI, `directive` for the printed schema. `parse`
 * returns the value in the form in which it is stored, which `parse` itself accepts again, or
 * throws an InputFault.
 */
export type InputRule = {
  readonly expectation: string;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly directive: RuleDirective | null;
  readonly parse: (value: unknown) => unknown;
};

type Bounds = { min?: number; max?: number };
/** A directive of the printed schema, such as `@length(min: 1, max: 200)`. */
type RuleDirective = { name: 'length' | 'range' | 'items' } & Bounds;

type RuleContract = Omit<InputRule, 'parse'>;

/** Returns undefined for a value of another kind, and throws an InputFault for an invalid one. */
type ParseValue = (value: unknown) => unknown;

/** Creates a rule of which `parse` may return undefined for a value of another kind. */
export function inputRule(contract: RuleContract, parse: ParseValue): InputRule {
  const expected = { expectation: contract.expectation, jsonType: contract.jsonSchema['type'] };
  return {
    ...contract,
    parse: (value) => {
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      const { code, message } = mismatch(expected, value);
      throw new InputFault(code, message);
    },
  };
}

/** Throws if Postgres or JSON cannot store the text. */
export function requireStorable(text: string): void {
  if (text.includes('\0'))
    throw new InputFault('INVALID_CHARACTERS', 'must not contain control characters');
  if (!text.isWellFormed())
    throw new InputFault('INVALID_CHARACTERS', 'must not contain half of a surrogate pair');
}

type Length = { min: number; max: number };

/** Throws if the number of code points is out of bounds. */
export function requireLength(text: string, { min, max }: Length): void {
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

const textExpectation = ({ min, max }: Length) =>
  min === 0 ? `a string of at most ${max} characters` : `a string of ${min} to ${max} characters`;

/** The contract of a text with these bounds. */
export const textContract = ({ min, max }: Length): RuleContract => ({
  expectation: textExpectation({ min, max }),
  jsonSchema: { type: 'string', ...(min > 0 ? { minLength: min } : {}), maxLength: max },
  directive: { name: 'length', ...(min > 0 ? { min } : {}), max },
});

/**
 * `isName`: names of people and organizations appear in emails, so they must not contain the
 * address of a site.
 */
type TextOptions = Length & { lines?: 'one' | 'many'; isName?: boolean };

/**
 * A text that is trimmed and contains no control characters (except line breaks and tabs with
 * `lines: 'many'`). Its length counts code points.
 */
export function text({ min, max, lines = 'one', isName = false }: TextOptions): InputRule {
  const forbidden = lines === 'one' ? /\p{Cc}/u : /[^\P{Cc}\n\r\t]/u;
  const exception = lines === 'one' ? '' : ' other than line breaks and tabs';
  const contract = textContract({ min, max });
  const jsonSchema = { ...contract.jsonSchema, minLength: min, maxLength: max };
  return inputRule({ ...contract, jsonSchema }, (value) => {
    if (typeof value !== 'string') return undefined;
    // The length check also precedes the search for characters.
    if (value.length > 4 * max + 1000) requireLength(value, { min, max });
    requireStorable(value);
    const trimmed = value.trim();
    if (forbidden.test(trimmed))
      throw new InputFault('INVALID_CHARACTERS', `must not contain control characters${exception}`);
    requireLength(trimmed, { min, max });
    if (hasDirectionControl(trimmed))
      throw new InputFault(
        'INVALID_CHARACTERS',
        'must not contain characters that change the direction of text',
      );
    if (lines === 'one' && trimmed !== '' && !isVisible(trimmed))
      throw new InputFault('INVALID_CHARACTERS', 'must contain a visible character');
    if (isName && namesSite(trimmed))
      throw new InputFault('INVALID', 'must not contain the address of a site');
    return trimmed;
  });
}

/** A text to search for: trimmed, with any characters. */
const searchText = inputRule(textContract({ min: 0, max: 200 }), (value) => {
  if (typeof value !== 'string') return undefined;
  requireStorable(value);
  const trimmed = value.trim();
  requireLength(trimmed, { min: 0, max: 200 });
  return trimmed;
});

/** The argument of a list for a text that its entries contain. */
export const searchArg = (
  description = 'Text that the name contains, in any letter case and with or without accents.',
) => ({ type: 'String', rule: searchText, required: false, description }) as const;

/** A text that is compared as it is, such as a token: with any characters, not trimmed. */
export const verbatim = ({ min = 0, max }: { min?: number; max: number }): InputRule =>
  inputRule(textContract({ min, max }), (value) => {
    if (typeof value !== 'string') return undefined;
    requireLength(value, { min, max });
    return value;
  });

/**
 * A secret that is compared with a stored one: of any length that a body can have, it is only wrong.
 */
export const secretRule = verbatim({ max: 1_048_576 });

/** The rule of every ID. An unknown id is not found, but Postgres must be able to compare it. */
export const idRule = inputRule(
  { expectation: 'a string', jsonSchema: { type: 'string' }, directive: null },
  (value) => {
    if (typeof value !== 'string') return undefined;
    requireStorable(value);
    return value;
  },
);

type Range = { min: number; max: number };

/** The greatest value of the type Int. */
export const int32Max = 2 ** 31 - 1;

const rangeContract = (type: 'integer' | 'number', { min, max }: Range): RuleContract => {
  const noun = type === 'integer' ? 'an integer' : 'a number';
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  return {
    expectation: isOpen ? `${noun} of at least ${min}` : `${noun} from ${min} to ${max}`,
    jsonSchema: { type, minimum: min, maximum: max },
    directive: { name: 'range', min, ...(isOpen ? {} : { max }) },
  };
};

/** An integer in these bounds. */
export const integer = (range: Range): InputRule =>
  inputRule(rangeContract('integer', range), (value) => {
    if (Number.isSafeInteger(value) && isIn(range, Number(value))) return value;
    // "At least 1" would not say what is wrong with an integer that is too large.
    if (Number.isInteger(value) && Number(value) > range.max)
      throw new InputFault('OUT_OF_RANGE', `must be an integer from ${range.min} to ${range.max}`);
    return undefined;
  });

/** A number in these bounds. */
export const number = (range: Range): InputRule =>
  inputRule(rangeContract('number', range), (value) =>
    typeof value === 'number' && isIn(range, value) ? value : undefined,
  );

const isIn = ({ min, max }: Range, value: number) => value >= min && value <= max;

type ListContract = {
  /** The name of the list in OpenAPI. */
  title: string;
  /** The JSON schema of an item. */
  items: Record<string, unknown>;
  /** What the items are, in the plural. */
  noun: string;
  /** What an item must be. */
  item: string;
  max: number;
};

/** A list of at most `max` distinct items. */
export function distinct(
  { title, items, noun, item: itemExpectation, max }: ListContract,
  parseItem: (item: unknown) => string | undefined,
): InputRule {
  const expectation = `a list of at most ${max} ${noun}`;
  const contract: RuleContract = {
    expectation,
    jsonSchema: { title, type: 'array', maxItems: max, items },
    directive: { name: 'items', max },
  };
  return inputRule(contract, (value) => {
    if (!Array.isArray(value)) return undefined;
    if (value.length > max)
      throw new InputFault('TOO_LONG', `must be ${expectation}, but has ${value.length}`);
    return [...new Set(parseItems(value, parseAt))];
  });

  function parseAt(item: unknown, index: number): string {
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
