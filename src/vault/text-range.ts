import { AppError } from '../platform/errors.ts';
import { offsetMax, type TextRange, textRangeUnitsMax } from './passage.ts';

/**
 * Reads the range of text from the query parameters `start` and `end`; undefined if both are absent.
 */
export function textRangeIn(query: URLSearchParams): TextRange | undefined {
  if (!query.has('start') && !query.has('end')) return undefined;
  const [start, end] = ['start', 'end'].map((name) => {
    const value = query.get(name) ?? '';
    const offset = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (!(offset <= offsetMax))
      throw new AppError('BAD_INPUT', `${name} must be a whole number from 0 to ${offsetMax}`);
    return offset;
  });
  if (start === undefined || end === undefined || end <= start || end - start > textRangeUnitsMax)
    throw new AppError(
      'BAD_INPUT',
      `end must be greater than start, by at most ${textRangeUnitsMax}`,
    );
  return { start, end };
}
