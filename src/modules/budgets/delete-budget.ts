import { fragment } from '../../platform/database/sql.ts';
import { changeRow, type Writer } from '../audit/record-change.ts';

/** Deletes a budget with its reservations. Runs in progress no longer count for it. */
export async function deleteBudget(
  { budgetId }: { budgetId: string },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await changeRow<{ id: string }>(writer, 'Budget', () => ({
    statement: fragment`
      delete from budgets where id = ${budgetId} and organization_id = ${organizationId}
      returning id, scope, scope_id, metric, period, limit_amount, mode`,
    entry: {
      action: 'delete-budget',
      targetType: 'Budget',
      targetId: budgetId,
      changes: fragment`jsonb_build_object('scope', scope, 'scopeId', scope_id, 'metric', metric, 'period', period, 'limit', limit_amount::float8, 'mode', mode)`,
    },
    answer: fragment`select id from changed`,
  }));
}
