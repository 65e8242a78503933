import { AppError } from '../platform/errors.ts';
import { createFairQueue } from '../platform/fair-queue.ts';
import type { Context } from './context.ts';

// A process has four connections to the database: more queries at a time would wait there instead,
// in the order in which they came.
const queriesAtOnceMax = 8;
const queriesAtOncePerOrganizationMax = 2;
const waitingMax = 10_000;
const waitingPerOrganizationMax = 500;

/**
 * Runs queries of the graph in turns between organizations. A query can ask for a thousand values,
 * and many of them at the same moment keep one process busy: a query of another organization then
 * waits for two of them at most. Mutations are not held back: they can take as long as a model
 * does, and have limits of their own.
 */
export function createQueryTurns() {
  const queue = createFairQueue({
    ...{
      concurrencyMax: queriesAtOnceMax,
      concurrencyPerTenantMax: queriesAtOncePerOrganizationMax,
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
