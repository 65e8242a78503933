import { inputError } from './errors.ts';

/**
 * Parses JSON that a client sent. The error gives the position of the fault; the message of
 * JSON.parse would repeat the text.
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

/** The JSON type of a value, for error messages. */
export function jsonKindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number')
    return Number.isInteger(value) || !Number.isFinite(value) ? 'a number' : 'a fraction';
  return typeof value === 'string' || typeof value === 'boolean'
    ? `a ${typeof value}`
    : 'an object';
}

type ExpectedToken =
  | 'value'
  | 'value or end'
  | 'key'
  | 'key or end'
  | 'colon'
  | 'comma or end'
  | 'nothing';

/** The index of the first invalid character, or the length of the text if it ends too early. */
export function jsonFaultPosition(text: string): number {
  const closers: string[] = [];
  let expected: ExpectedToken = 'value';
  let at = 0;
  const afterValue = (): ExpectedToken => (closers.length === 0 ? 'nothing' : 'comma or end');
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
      const { end, isComplete } =
        isKey || character === '"' ? readString(text, at) : readPlain(text, at);
      if (!isComplete) return end;
      expected = isKey ? 'colon' : afterValue();
      at = end;
    }
  }
}

type ScannedToken = { end: number; isComplete: boolean };

function readString(text: string, start: number): ScannedToken {
  if (text.charAt(start) !== '"') return { end: start, isComplete: false };
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { end: at + 1, isComplete: true };
    if (character < ' ') return { end: at, isComplete: false };
    if (character !== '\\') continue;
    at += 1;
    const escaped = text.charAt(at);
    const digits = escaped === 'u' ? 4 : 0;
    if (!'"\\/bfnrtu'.includes(escaped)) return { end: at, isComplete: false };
    for (let digit = 0; digit < digits; digit += 1) {
      at += 1;
      if (!/[0-9a-fA-F]/.test(text.charAt(at)))
        return { end: Math.min(at, text.length), isComplete: false };
    }
  }
  return { end: text.length, isComplete: false };
}

const literals = ['true', 'false', 'null'];
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const beginningOfNumber = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?/y;

function readPlain(text: string, start: number): ScannedToken {
  const literal = literals.find((word) => word.charAt(0) === text.charAt(start));
  if (literal) {
    let length = 1;
    while (length < literal.length && text.charAt(start + length) === literal.charAt(length))
      length += 1;
    return { end: start + length, isComplete: length === literal.length };
  }
  beginningOfNumber.lastIndex = start;
  const [token = ''] = beginningOfNumber.exec(text) ?? [];
  return { end: start + token.length, isComplete: number.test(token) };
}
