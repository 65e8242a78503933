import { rateLimited } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';

// With this many checks at the same time runs still share the round trips of their statements, and
// the first of 200 runs call their models before the last ones are checked.
const checksMax = 32;
const checksPerOrganizationMax = 24;
const waitingMax = 10_000;
const waitingPerOrganizationMax = 1_000;

/** Waits for the turn of the organization, and then checks a run. */
export type CheckInTurn = <Result>(
  run: { organizationId: string; signal: AbortSignal },
  check: () => Promise<Result>,
) => Promise<Result>;

/**
 * Lets organizations take turns with the checks before their runs, so that a run does not wait for
 * all runs that another organization has sent before it.
 */
export function createCheckInTurn(): CheckInTurn {
  const queue = createFairQueue({
    concurrencyMax: checksMax,
    concurrencyPerTenantMax: checksPerOrganizationMax,
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
