import type {
  BudgetMetric,
  BudgetMode,
  BudgetPeriod,
  BudgetScope,
} from '../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { currentStart } from './budget-period.ts';

export type Budget = {
  id: string;
  scope: BudgetScope;
  scopeId: string | null;
  metric: BudgetMetric;
  period: BudgetPeriod;
  limit: number;
  mode: BudgetMode;
  /** The start of the current period. */
  periodStart: string;
  /** What was used in the current period, and what running steps have reserved. */
  used: number;
  reserved: number;
  createdAt: string;
  updatedAt: string;
};

/** The columns of `budgets b` at a moment. A period that nobody has used yet has used nothing. */
export const budgetColumns = (at: Date): Fragment => fragment`
  b.id, b.scope, b.scope_id as "scopeId", b.metric, b.period, b.limit_amount::float8 as "limit", b.mode,
  ${currentStart(at)} as "periodStart",
  case when ${currentStart(at)} > b.period_start then 0 else b.used end::float8 as used,
  (select coalesce(sum(r.amount), 0) from budget_reservations r where r.budget_id = b.id and r.expires_at > ${at})::float8 as reserved,
  b.created_at as "createdAt", b.updated_at as "updatedAt"`;
