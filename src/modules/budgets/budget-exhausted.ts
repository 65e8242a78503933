import type { BudgetMetric, BudgetScope } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';
import { periodEnd } from './budget-period.ts';
import type { BudgetState } from './reserve-budgets.ts';

const scopeNames: Record<BudgetScope, string> = {
  ORGANIZATION: 'your organization',
  TEAM: 'your team',
  USER: 'you',
  KEY: 'this API key',
  ASSISTANT: 'this assistant',
};
const metricNames: Record<BudgetMetric, string> = { TOKENS: 'tokens', COST: 'cost', RUNS: 'runs' };

/** The error for a step that these budgets refuse. */
export function budgetExhausted(exhausted: readonly BudgetState[], at: Date): AppError {
  const ends = exhausted.map(({ period, periodStart }) => periodEnd(period, new Date(periodStart)));
  // All of them must have room again, and one without periods never has.
  const end = ends.reduce<Date | null>(
    (latest, next) => (latest && next && (next > latest ? next : latest)) ?? null,
    ends[0] ?? null,
  );
  const names = [
    ...new Set(
      exhausted.map(
        ({ scope, metric }) => `the budget of ${metricNames[metric]} for ${scopeNames[scope]}`,
      ),
    ),
  ].join(' and ');
  const remedy = end
    ? `try again after ${end.toISOString()}, or ask an administrator for a higher budget`
    : 'ask an administrator for a higher budget';
  const retryAfterSeconds = end
    ? Math.max(1, Math.ceil((end.getTime() - at.getTime()) / 1000))
    : undefined;
  const subject = names.charAt(0).toUpperCase() + names.slice(1);
  return new AppError(
    'BUDGET_EXHAUSTED',
    `${subject} is used up; ${remedy}`,
    undefined,
    retryAfterSeconds,
  );
}
