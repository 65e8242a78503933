import { AppError } from '../platform/errors.ts';
import { createFairQueue } from '../platform/fair-queue.ts';
import type { Context } from './context.ts';

// A process has four database connections by default. More concurrent queries would wait for a
// connection in order of arrival, without fairness between organizations.
const concurrentQueriesMax = 8;
const concurrentQueriesPerOrganizationMax = 2;
const waitingMax = 10_000;
const waitingPerOrganizationMax = 500;

/**
 * Schedules GraphQL queries fairly between organizations. One query can request a thousand values,
 * and many at the same moment keep a process busy. A query of another organization then waits for
 * at most two of them. Mutations are not scheduled: they can take as long as a model call and have
 * their own limits.
 */
export function createQueryScheduler() {
  const queue = createFairQueue({
    ...{
      concurrencyMax: concurrentQueriesMax,
      concurrencyPerTenantMax: concurrentQueriesPerOrganizationMax,
    },
    ...{ waitingMax, waitingPerTenantMax: waitingPerOrganizationMax },
    refusal: () =>
      new AppError(
        'RATE_LIMITED',
        'Too many queries of your organization are waiting; try again in a second',
        undefined,
        1,
      ),
  });

  return async <Result>(
    { viewer, signal }: Pick<Context, 'viewer' | 'signal'>,
    run: () => Result | Promise<Result>,
  ): Promise<Result> => {
    const ticket = queue.join(viewer?.organizationId ?? 'none');
    try {
      await ticket.turn(signal);
      return await run();
    } finally {
      ticket.leave();
    }
  };
}
