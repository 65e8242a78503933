import type { BudgetMetric } from '../../platform/database/generated/client.ts';
import { decimalOf, unitsOf } from '../../platform/decimal.ts';
import type { BudgetAmounts, BudgetState } from './reserve-budgets.ts';

// Amounts have at most 18 decimal places. Integers compute them, so that none is rounded.
const decimals = 18;

/**
 * What is left of the tightest budget that blocks, after these amounts: the one with the smallest
 * share of its limit. Undefined if none blocks.
 */
export function remainingBudget(
  budgets: readonly BudgetState[],
  amounts: BudgetAmounts,
): string | undefined {
  const [tightest] = budgets
    .filter(({ mode }) => mode === 'BLOCK')
    .map(({ limit, metric, remaining }) => {
      const left = unitsOf(remaining, decimals) - unitsOf(amountIn(metric, amounts), decimals);
      return { left, share: Number(left) / Number(unitsOf(limit, decimals)) };
    })
    .toSorted((a, b) => a.share - b.share);
  return tightest && decimalOf(tightest.left < 0n ? 0n : tightest.left, decimals);
}

function amountIn(metric: BudgetMetric, { tokens, cost, runs }: BudgetAmounts): string {
  if (metric === 'COST') return cost;
  return String(metric === 'TOKENS' ? tokens : runs);
}
