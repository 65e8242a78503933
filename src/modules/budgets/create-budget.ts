import type {
  BudgetMetric,
  BudgetMode,
  BudgetPeriod,
  BudgetScope,
} from '../../platform/database/generated/client.ts';
import { AppError, inputError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { ModelPrices } from '../usage/step-cost.ts';
import { type Budget, budgetColumns } from './budget.ts';
import { periodStart } from './budget-period.ts';
import { requireLimit } from './require-limit.ts';
import { requireScope } from './require-scope.ts';

type CreateBudgetInput = {
  scope: BudgetScope;
  scopeId?: string | null | undefined;
  metric: BudgetMetric;
  period: BudgetPeriod;
  limit: number;
  mode: BudgetMode;
};

/** Each step of a run reads the budgets that it counts for. */
const budgetsMax = 100;

/** Creates a budget, which counts what runs use from now on. */
export async function createBudget(
  { scope, scopeId, metric, period, limit, mode }: CreateBudgetInput,
  { prices, ...writer }: Writer & { prices: ModelPrices },
): Promise<Budget> {
  const { organizationId } = writer.actor;
  requireLimit({ metric, limit });
  if (metric === 'COST' && !prices)
    throw inputError(
      'metric',
      'INVALID',
      'metric must not be COST: the setting MODEL_PRICES, with the prices of models, is absent',
      'COST_WITHOUT_PRICES',
    );
  return change(writer, async (tx, record, at) => {
    const id = newId(at.getTime());
    // The lock lets two requests count one after the other.
    const [organization] = await tx.sql<{ budgets: number }>`
      select (select count(*)::int from budgets where organization_id = o.id) as budgets
      from organizations o where o.id = ${organizationId} for no key update`;
    if ((organization?.budgets ?? 0) >= budgetsMax)
      throw new AppError(
        'QUOTA_EXCEEDED',
        `An organization can have ${budgetsMax} budgets; delete one that is no longer needed`,
        'TOO_MANY_BUDGETS',
      );
    const target = await requireScope({ organizationId, scope, scopeId }, tx);
    const [budget] = await tx.sql<Budget>`
      with b as (
        insert into budgets (id, organization_id, scope, scope_id, metric, period, limit_amount, mode, period_start, created_at, updated_at)
        values (${id}, ${organizationId}, ${scope}::budget_scope, ${target}, ${metric}::budget_metric, ${period}::budget_period,
          ${String(limit)}::numeric, ${mode}::budget_mode, ${periodStart(period, at)}, ${at}, ${at}) returning *)
      select ${budgetColumns(at)} from b`;
    if (!budget) throw new Error('The budget was not inserted');
    const changes = { scope, scopeId: target, metric, period, limit, mode };
    record({ action: 'create-budget', targetType: 'Budget', targetId: id, changes });
    return budget;
  });
}
