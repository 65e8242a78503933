import type { Context } from '../../access/context.ts';
import { rateLimited } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { graphLimits } from '../document/limits.ts';

// Queries are weighed by their cost. Small ones of one organization may run side by side, because
// they share the statements of a batch; of the largest only two.
const valuesPerUnit = 500;
const largestQuery = graphLimits.cost / valuesPerUnit;
// A process has four database connections by default. More concurrent queries would wait for a
// connection in order of arrival, without fairness between organizations.
const largestQueriesMax = 8;
const largestQueriesPerOrganizationMax = 2;
const waitingMax = 10_000;
const waitingPerOrganizationMax = 500;

export type ScheduleQuery = ReturnType<typeof createQueryScheduler>;

/**
 * Schedules GraphQL queries fairly between organizations. One query can request thousands of
 * values, and many at the same moment keep a process busy. A query of another organization then
 * waits for at most two of them. Mutations are not scheduled: they can take as long as a model call
 * and have their own limits.
 */
export function createQueryScheduler() {
  const queue = createFairQueue({
    concurrencyMax: largestQueriesMax * largestQuery,
    concurrencyPerTenantMax: largestQueriesPerOrganizationMax * largestQuery,
    waitingMax,
    waitingPerTenantMax: waitingPerOrganizationMax,
    refusal: () =>
      rateLimited('Too many queries of your organization are waiting; try again in a second', 1),
  });

  return async <Result>(
    { viewer, signal }: Pick<Context, 'viewer' | 'signal'>,
    cost: number,
    run: () => Result | Promise<Result>,
  ): Promise<Result> => {
    const ticket = queue.join(
      viewer?.organizationId ?? 'none',
      Math.max(1, Math.ceil(cost / valuesPerUnit)),
    );
    try {
      await ticket.turn(signal);
      return await run();
    } finally {
      ticket.leave();
    }
  };
}
