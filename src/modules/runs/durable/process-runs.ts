import { clocksAgree } from '../../../platform/database/clocks-agree.ts';
import { AppError } from '../../../platform/errors.ts';
import { createPolling, repeatEvery } from '../../../platform/repeat.ts';
import type { Lease } from '../../quotas/leases.ts';
import type { Quotas } from '../../quotas/quotas.ts';
import { type ClaimedRun, claimRun, nextOrganization } from './claim-run.ts';
import { type ExecutionDependencies, executeRun } from './execute-run.ts';
import { createRunLeases } from './run-leases.ts';
import { sweepRuns } from './sweep-runs.ts';

export type RunProcessor = {
  /** Looks for a run at once instead of at the next poll. */
  wake(): void;
  /** Stops the execution of a run of this process. */
  stopRun(id: string): void;
  /** Stops. Runs in progress are released, so that another process continues them at once. */
  stop(): Promise<void>;
};

type ProcessorDependencies = Omit<ExecutionDependencies, 'leases'> & {
  quotas: Pick<Quotas, 'startRun' | 'limits'>;
};

// A process that does not get the wake-up of another process finds the new run by polling.
const pollEveryMs = 1_000;
const sweepEveryMs = 10_000;
// A run mostly waits for its model. The rest of the places is free for other organizations.
const runsAtOnce = 64;
const runsAtOncePerOrganization = 48;

/** Executes durable runs. Any number of processes can do so at the same time. */
export function processRuns(dependencies: ProcessorDependencies): RunProcessor {
  const { database, clock, quotas, log } = dependencies;
  const leases = createRunLeases({ database, log });
  const stopping = new AbortController();
  const executions = new Map<Promise<void>, ClaimedRun>();
  const { wake, poll } = createPolling({ everyMs: pollEveryMs, signal: stopping.signal });

  const busyOrganizations = () =>
    [...Map.groupBy(executions.values(), (run) => run.organizationId)]
      .filter(([, runs]) => runs.length >= runsAtOncePerOrganization)
      .map(([organizationId]) => organizationId);

  /** Starts one run. Returns false if no run can start now. */
  async function startNext(refused: Set<string>): Promise<boolean> {
    if (executions.size >= runsAtOnce) return false;
    const executing = [...executions.values()].map(({ id }) => id);
    const organizationId = await nextOrganization(
      { runsLimit: quotas.limits.runs, excluded: [...busyOrganizations(), ...refused], executing },
      { database },
    );
    if (organizationId === undefined) return false;
    const slot = await takeSlot(organizationId);
    if (!slot) {
      refused.add(organizationId);
      return true;
    }
    const run = await claimRun({ organizationId, executing }, { database, clock }).catch(
      async (error: unknown) => {
        await slot.end();
        throw error;
      },
    );
    if (!run) {
      await slot.end();
      return true;
    }
    const execution = executeRun(run, slot, { ...dependencies, leases }, stopping.signal)
      .catch((error: unknown) =>
        log.warn({ err: error, run: run.id }, 'A run continues once its lease has ended'),
      )
      .then(() => {
        executions.delete(execution);
        wake();
      });
    executions.set(execution, run);
    return true;
  }

  async function takeSlot(organizationId: string): Promise<Lease | undefined> {
    try {
      return await quotas.startRun(organizationId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONCURRENCY_LIMIT_REACHED') return undefined;
      throw error;
    }
  }

  async function startAll(): Promise<void> {
    const refused = new Set<string>();
    while (!stopping.signal.aborted && (await startNext(refused)));
  }

  const dispatching = poll(startAll, (error) =>
    log.warn({ err: error }, 'Claiming a run failed; it continues with the next poll'),
  );
  const sweep = async () => sweepRuns(dependencies, { endsByAge: await clocksAgree({ database }) });
  const sweeping = repeatEvery(sweep, {
    everyMs: sweepEveryMs,
    failed: (error) => log.warn({ err: error }, 'Runs without a process could not be ended yet'),
  });
  return {
    wake,
    stopRun: leases.stop,
    async stop() {
      stopping.abort();
      await Promise.all([dispatching, sweeping.stop()]);
      await Promise.all(executions.keys());
    },
  };
}
