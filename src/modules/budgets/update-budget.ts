import type { BudgetMode } from '../../platform/database/generated/client.ts';
import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type Budget, budgetColumns } from './budget.ts';
import { requireLimit } from './require-limit.ts';

type UpdateBudgetInput = {
  budgetId: string;
  limit?: number | null | undefined;
  mode?: BudgetMode | null | undefined;
};

/**
 * Changes the limit or the mode of a budget. What was used stays. Under a higher limit,
 * administrators are informed again when its share is reached.
 */
export function updateBudget(
  { budgetId, ...input }: UpdateBudgetInput,
  writer: Writer,
): Promise<Budget> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    const [budget] = await tx.sql<Budget>`
      select ${budgetColumns(at)} from budgets b where b.id = ${budgetId} and b.organization_id = ${organizationId} for update`;
    if (!budget) throw notFound('Budget');
    const limit = input.limit ?? budget.limit;
    const mode = input.mode ?? budget.mode;
    requireLimit({ metric: budget.metric, limit });
    if (limit === budget.limit && mode === budget.mode) return budget;
    const [changed] = await tx.sql<Budget>`
      with b as (
        update budgets set limit_amount = ${String(limit)}::numeric, mode = ${mode}::budget_mode, updated_at = ${at},
          notified_percent = case when used >= ${String(limit)}::numeric then notified_percent
            when used >= ${String(limit)}::numeric * 0.8 then least(notified_percent, 80) else 0 end
        where id = ${budgetId} returning *)
      select ${budgetColumns(at)} from b`;
    if (!changed) throw notFound('Budget');
    record({
      action: 'update-budget',
      targetType: 'Budget',
      targetId: budgetId,
      changes: { limit: { from: budget.limit, to: limit }, mode: { from: budget.mode, to: mode } },
    });
    return changed;
  });
}
