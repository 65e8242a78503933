import { inputError } from './errors.ts';

/**
 * Parses JSON that a client sent. The refusal tells where the text stops being JSON; the parser's
 * own message would repeat the text.
 */
export function parseJson(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const name = field === 'body' ? 'The body' : field;
    throw inputError(
      field,
      'INVALID_FORMAT',
      `${name} is not valid JSON at position ${jsonFaultPosition(text)}`,
    );
  }
}

/** What a value is in JSON, for people. */
export function jsonKindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number')
    return Number.isInteger(value) || !Number.isFinite(value) ? 'a number' : 'a fraction';
  return typeof value === 'string' || typeof value === 'boolean'
    ? `a ${typeof value}`
    : 'an object';
}

type Expected =
  | 'value'
  | 'value or end'
  | 'key'
  | 'key or end'
  | 'colon'
  | 'comma or end'
  | 'nothing';

/**
 * The index of the first character that cannot stand where it stands; the length of a text that
 * ends too early.
 */
export function jsonFaultPosition(text: string): number {
  const closers: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const afterValue = (): Expected => (closers.length === 0 ? 'nothing' : 'comma or end');
  while (true) {
    while (/[ \t\n\r]/.test(text.charAt(at))) at += 1;
    const character = text.charAt(at);
    if (character === '' || expected === 'nothing') return at;
    const isKey: boolean = expected === 'key' || expected === 'key or end';
    if (expected.endsWith('or end') && character === closers.at(-1)) {
      closers.pop();
      expected = afterValue();
      at += 1;
    } else if (expected === 'colon' || expected === 'comma or end') {
      if (character !== (expected === 'colon' ? ':' : ',')) return at;
      expected = expected === 'comma or end' && closers.at(-1) === '}' ? 'key' : 'value';
      at += 1;
    } else if (!isKey && (character === '{' || character === '[')) {
      closers.push(character === '{' ? '}' : ']');
      expected = character === '{' ? 'key or end' : 'value or end';
      at += 1;
    } else {
      const { end, isWhole } =
        isKey || character === '"' ? readString(text, at) : readPlain(text, at);
      if (!isWhole) return end;
      expected = isKey ? 'colon' : afterValue();
      at = end;
    }
  }
}

type Token = { end: number; isWhole: boolean };

function readString(text: string, start: number): Token {
  if (text.charAt(start) !== '"') return { end: start, isWhole: false };
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { end: at + 1, isWhole: true };
    if (character < ' ') return { end: at, isWhole: false };
    if (character !== '\\') continue;
    at += 1;
    const escaped = text.charAt(at);
    const digits = escaped === 'u' ? 4 : 0;
    if (!'"\\/bfnrtu'.includes(escaped)) return { end: at, isWhole: false };
    for (let digit = 0; digit < digits; digit += 1) {
      at += 1;
      if (!/[0-9a-fA-F]/.test(text.charAt(at)))
        return { end: Math.min(at, text.length), isWhole: false };
    }
  }
  return { end: text.length, isWhole: false };
}

const literals = ['true', 'false', 'null'];
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const beginningOfNumber = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?/y;

function readPlain(text: string, start: number): Token {
  const literal = literals.find((word) => word.charAt(0) === text.charAt(start));
  if (literal) {
    let length = 1;
    while (length < literal.length && text.charAt(start + length) === literal.charAt(length))
      length += 1;
    return { end: start + length, isWhole: length === literal.length };
  }
  beginningOfNumber.lastIndex = start;
  const [token = ''] = beginningOfNumber.exec(text) ?? [];
  return { end: start + token.length, isWhole: number.test(token) };
}
