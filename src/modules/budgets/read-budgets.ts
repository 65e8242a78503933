import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Budget, budgetColumns } from './budget.ts';

/**
 * Reads budgets in the order of the ids; null for one that does not exist or belongs to another
 * organization.
 */
export async function readBudgets(
  { organizationId, budgetIds }: { organizationId: string; budgetIds: readonly string[] },
  { database, clock }: { database: Database; clock: Clock },
): Promise<(Budget | null)[]> {
  const rows = await database.sql<Budget>`
    select ${budgetColumns(clock())} from budgets b where b.id = any(${budgetIds}) and b.organization_id = ${organizationId}`;
  const budgets = new Map(rows.map((budget) => [budget.id, budget]));
  return budgetIds.map((id) => budgets.get(id) ?? null);
}
