import { inputError } from '../../errors.ts';
import type { KeyType } from './order.ts';

/** The list and the order that a cursor belongs to. */
export type CursorScope = {
  list: string;
  order: string;
  /** The types of the order's keys and of the id. */
  types: readonly KeyType[];
};

const tagOf = ({ list, order }: CursorScope): string => `${list}:${order}`;

/**
 * A cursor is the position of a row: the values of the order's keys and the id. A row that is
 * deleted later leaves its position behind, so a cursor never becomes invalid.
 */
export function toCursor(scope: CursorScope, values: readonly unknown[]): string {
  const position = scope.types.map((type, index) =>
    type === 'time' ? toTimeText(String(values[index])) : String(values[index]),
  );
  return encodeCursor([tagOf(scope), ...position]);
}

/** The position in a cursor; throws BAD_INPUT if it belongs to another list or another order. */
export function positionOf(scope: CursorScope, argument: string, cursor: string): string[] {
  const [tag, ...position] = decodeCursor(cursor);
  const isValid =
    tag === tagOf(scope) &&
    position.length === scope.types.length &&
    scope.types.every((type, index) => isValueOf[type](position[index] ?? ''));
  if (isValid) return position;
  throw inputError(
    argument,
    'INVALID',
    `${argument} must be a cursor of this list in this order. Request the first page without a cursor, and keep the order the same on each page`,
  );
}

export const encodeCursor = (parts: readonly string[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The parts of a cursor; none if the text is no cursor. */
export function decodeCursor(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const isoLength = '2024-05-06T07:08:09.100Z'.length;

/**
 * The columns of a row have times in this form already, and the keys that Postgres writes as JSON
 * do not. All times are stored with milliseconds, so a JavaScript date holds them exactly.
 */
const toTimeText = (text: string): string =>
  text === 'infinity' || (text.length === isoLength && text.endsWith('Z'))
    ? text
    : new Date(text).toISOString();

const isValueOf: Record<KeyType, (text: string) => boolean> = {
  text: (text) => text.isWellFormed() && !text.includes('\0'),
  integer: (text) => /^-?\d{1,18}$/.test(text),
  time: (text) => {
    if (text === 'infinity') return true;
    const time = new Date(text);
    return !Number.isNaN(time.getTime()) && /^\d{4}-/.test(text) && time.toISOString() === text;
  },
};
