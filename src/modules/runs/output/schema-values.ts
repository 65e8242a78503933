import { InputFault } from '../../../platform/input-fault.ts';
import { dialects, type KeywordKind, schemaTypes } from './schema-keywords.ts';

export type JsonObject = Record<string, unknown>;

const patternCharactersMax = 500;

export function pointerOf(value: unknown, path: string): { pointer: string; path: string } {
  if (typeof value !== 'string') throw fault(path, 'must be a string', value);
  if (value !== '#' && !value.startsWith('#/'))
    throw new InputFault('INVALID', 'must begin with #: other schemas are not loaded', path);
  try {
    return { pointer: decodeURIComponent(value.slice(1)), path };
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new InputFault('INVALID_FORMAT', 'must be a JSON pointer', path);
  }
}

export function requireValue(kind: KeywordKind, value: unknown, path: string): void {
  if (kind === 'dialect' && !dialects.has(value))
    throw new InputFault('UNKNOWN_VALUE', `must be ${[...dialects][0]}`, path);
  if (kind === 'text' && typeof value !== 'string') throw fault(path, 'must be a string', value);
  if (kind === 'boolean' && typeof value !== 'boolean')
    throw fault(path, 'must be true or false', value);
  if (kind === 'pattern') requirePattern(value, path);
  if (kind === 'values') listOf(value, path);
  if (kind === 'names') requireNames(value, path);
  if (kind === 'namesByName')
    for (const names of Object.values(objectOf(value, path))) requireNames(names, path);
  if (kind === 'types') {
    const types: unknown[] = Array.isArray(value) ? value : [value];
    if (types.length === 0 || types.some((type) => !schemaTypes.has(type)))
      throw new InputFault('UNKNOWN_VALUE', `must be of ${[...schemaTypes].join(', ')}`, path);
  }
  requireNumber(kind, value, path);
}

function requireNumber(kind: KeywordKind, value: unknown, path: string): void {
  if (kind !== 'count' && kind !== 'number' && kind !== 'positive') return;
  if (typeof value !== 'number') throw fault(path, 'must be a number', value);
  if (kind === 'count' && (!Number.isSafeInteger(value) || value < 0))
    throw new InputFault('OUT_OF_RANGE', 'must be an integer of at least 0', path);
  if (kind === 'positive' && value <= 0)
    throw new InputFault('OUT_OF_RANGE', 'must be a number greater than 0', path);
}

function requireNames(value: unknown, path: string): void {
  if (listOf(value, path).some((name) => typeof name !== 'string'))
    throw fault(path, 'must be a list of strings', value);
}

/** The engine reads a pattern once to see whether it is valid; it is only used in a thread. */
export function requirePattern(value: unknown, path: string): void {
  if (typeof value !== 'string') throw fault(path, 'must be a string', value);
  if (value.length > patternCharactersMax)
    throw new InputFault('TOO_LONG', `must have at most ${patternCharactersMax} characters`, path);
  try {
    new RegExp(value, 'u');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InputFault('INVALID_FORMAT', 'must be a regular expression', path);
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function objectOf(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw fault(path, 'must be an object', value);
  return value;
}

export function listOf(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw fault(path, 'must be a list', value);
  return value;
}

export const fault = (path: string, message: string, value: unknown) =>
  new InputFault(value === null ? 'NOT_NULLABLE' : 'WRONG_TYPE', message, path);
