import { rateLimited } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';

// Enough that the statements of runs share round trips, and few enough that the first of many runs
// call their models before the last ones are checked. The model takes most of the time of a run, so
// all of them end earlier.
const startsMax = 32;
const startsPerOrganizationMax = 24;
const waitingMax = 10_000;
const waitingPerOrganizationMax = 1_000;

/** Checks a run of the organization before it starts, once it is its turn. */
export type StartRun = <Result>(
  run: { organizationId: string; signal: AbortSignal },
  check: () => Promise<Result>,
) => Promise<Result>;

/** Lets organizations take turns if many runs arrive at once. */
export function createRunStarts(): StartRun {
  const queue = createFairQueue({
    concurrencyMax: startsMax,
    concurrencyPerTenantMax: startsPerOrganizationMax,
    waitingMax,
    waitingPerTenantMax: waitingPerOrganizationMax,
    refusal: () =>
      rateLimited('Too many runs of your organization are waiting; try again in a second', 1),
  });
  return async ({ organizationId, signal }, check) => {
    const ticket = queue.join(organizationId);
    try {
      await ticket.turn(signal);
      return await check();
    } finally {
      ticket.leave();
    }
  };
}
