import { AppError } from '../platform/errors.ts';
import { offsetMax, type TextRange, textRangeUnitsMax } from './passage.ts';

/** A query string of these values, with its question mark; empty without values. */
export function queryOf(values: Record<string, string | number | undefined>): string {
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

type NumberBounds = { defaultValue: number; min: number; max: number };

/**
 * Reads a whole number from a query parameter. The error message begins with `label`.
 *
 * The API validates its parameters by the types of the GraphQL schema (src/rest/variables.ts). The
 * vault has no schema, and clients know its own messages: “whole number” without a list of errors.
 */
export function numberIn(
  query: URLSearchParams,
  name: string,
  { defaultValue, min, max }: NumberBounds,
  label = name,
): number {
  const text = query.get(name);
  const number = text !== null && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  const value = text === null ? defaultValue : number;
  if (!(value >= min && value <= max))
    throw new AppError('BAD_INPUT', `${label} must be a whole number from ${min} to ${max}`);
  return value;
}

/**
 * Reads the range of text from the query parameters `start` and `end`; undefined if both are absent.
 */
export function textRangeIn(query: URLSearchParams): TextRange | undefined {
  if (!query.has('start') && !query.has('end')) return undefined;
  // Each needs the other: an absent one has no valid default.
  const bounds = { defaultValue: Number.NaN, min: 0, max: offsetMax };
  const [start, end] = [numberIn(query, 'start', bounds), numberIn(query, 'end', bounds)];
  if (!(start < end && end - start <= textRangeUnitsMax))
    throw new AppError(
      'BAD_INPUT',
      `end must be greater than start, by at most ${textRangeUnitsMax}`,
    );
  return { start, end };
}
