import type { Database } from '../../platform/database/database.ts';

// The process that changes a budget forgets its organization at once. Every other process notices
// the first budget of an organization within a second.
const cachedMs = 750;
const cachedMax = 10_000;

/**
 * Remembers for a short time which organizations have budgets, so that the others need no statement
 * for each of their runs.
 */
export function createBudgetLookUp({ database: { sql } }: { database: Database }) {
  const cached = new Map<string, { hasBudgets: Promise<boolean>; untilMs: number }>();

  async function lookUp(organizationId: string): Promise<boolean> {
    const [row] = await sql<{ hasBudgets: boolean }>`
      select exists (select from budgets where organization_id = ${organizationId}) as "hasBudgets"`;
    return row?.hasBudgets === true;
  }

  return {
    hasBudgets(organizationId: string): Promise<boolean> {
      const now = performance.now();
      const known = cached.get(organizationId);
      if (known && known.untilMs > now) return known.hasBudgets;
      if (cached.size >= cachedMax) cached.clear();
      const hasBudgets = lookUp(organizationId);
      cached.set(organizationId, { hasBudgets, untilMs: now + cachedMs });
      // A failed look-up is repeated by the next run.
      hasBudgets.catch(() => cached.delete(organizationId));
      return hasBudgets;
    },
    /** Call this after every change of the budgets of an organization. */
    forget: (organizationId: string): void => void cached.delete(organizationId),
  };
}

export type BudgetLookUp = ReturnType<typeof createBudgetLookUp>;
