import type { BudgetMetric } from '../../platform/database/generated/client.ts';
import { inputError } from '../../platform/errors.ts';

const decimalsMax = 6;
/** The smallest and the largest limit of a budget. */
export const limitMin = 0.000001;
export const limitMax = 1e15;

/** Throws unless the limit fits the metric: tokens and runs have no fractions. */
export function requireLimit({ metric, limit }: { metric: BudgetMetric; limit: number }): void {
  if (metric !== 'COST' && !Number.isInteger(limit))
    throw inputError(
      'limit',
      'INVALID',
      `limit must be an integer, because ${metric} are counted`,
      'LIMIT_NOT_WHOLE',
    );
  if (!hasDecimals(limit, decimalsMax))
    throw inputError(
      'limit',
      'INVALID',
      `limit must have at most ${decimalsMax} decimal places`,
      'LIMIT_TOO_PRECISE',
    );
}

// Small numbers are written with an exponent.
const hasDecimals = (value: number, max: number) => Number(value.toFixed(max)) === value;
