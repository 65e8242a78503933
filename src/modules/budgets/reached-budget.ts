import type {
  BudgetMetric,
  BudgetMode,
  BudgetPeriod,
  BudgetScope,
} from '../../platform/database/generated/client.ts';

/** A budget of which a share is used that administrators are informed of. */
export type ReachedBudget = {
  id: string;
  organizationId: string;
  organizationName: string;
  scope: BudgetScope;
  metric: BudgetMetric;
  period: BudgetPeriod;
  mode: BudgetMode;
  periodStart: string;
  limit: number;
  used: number;
  percent: number;
};
