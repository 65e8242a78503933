import type { Database } from '../../../platform/database/database.ts';
import { isUnavailable } from '../../../platform/database/faults.ts';
import { AppError } from '../../../platform/errors.ts';
import { requireRunnable } from '../../assistants/require-assistant.ts';
import type { Lease } from '../../quotas/leases.ts';
import { failureOf, prepareRun, type RunDependencies } from '../run-assistant.ts';
import { type ClaimedRun, postponeRun, releaseRun } from './claim-run.ts';
import { createDurableRecorder, saveToolResult } from './durable-recorder.ts';
import { EventLog } from './event-log.ts';
import { idempotentTools } from './idempotent-tools.ts';
import { readRunner } from './read-runner.ts';
import { readStoredRun, type StoredRunContent } from './read-stored-run.ts';
import { LeaseLost, type RunLeases } from './run-leases.ts';
import type { RunNotices } from './run-notices.ts';

export type ExecutionDependencies = Omit<RunDependencies, 'signal' | 'quotas'> & {
  notices: RunNotices;
  leases: RunLeases;
};

// A run may be what kills the process each time. A run that has been claimed this often without
// finishing a step fails. With ten attempts, 4 of 200 runs failed when one process was killed 30
// times within a second or two after each start.
const attemptsMax = 40;
// The run waits for a service that cannot be reached, for a day at most.
const retrySeconds = 10;

/**
 * Executes a claimed run, or continues it after its last finished step. Afterwards the run has
 * ended, waits for its next attempt, or belongs to another process. `slot` is the one of
 * the quota that was taken for it.
 */
export async function executeRun(
  run: ClaimedRun,
  slot: Pick<Lease, 'end'>,
  { database: unscoped, leases, ...dependencies }: ExecutionDependencies,
  stopping: AbortSignal,
): Promise<void> {
  const { id, organizationId, userId: personId } = run;
  const database = unscoped.within({ organizationId, personId });
  const lease = leases.watch(run);
  const stop = () => lease.lost.abort(new LeaseLost());
  stopping.addEventListener('abort', stop, { once: true });
  try {
    // It may have been aborted while the run was claimed.
    stopping.throwIfAborted();
    const content = await readStoredRun(run, { database });
    if (content) await continueRun(run, content, { ...dependencies, database }, lease.lost);
  } catch (error) {
    if (stopping.aborted) await releaseRun(run, { database });
    else if (!(error instanceof LeaseLost)) throw error;
  } finally {
    stopping.removeEventListener('abort', stop);
    lease.end();
    await slot.end();
    dependencies.notices.changed(id);
  }
}

/** The slot is taken when the run is claimed, and ends after it. */
const slotTakenBefore: Lease = {
  end: async () => undefined,
  endWith: (commit) => commit(() => undefined),
};

type ContinueDependencies = Omit<ExecutionDependencies, 'leases'> & { database: Database };

async function continueRun(
  run: ClaimedRun,
  {
    request: { question, ...request },
    sentPassages,
    resumed,
    toolResults,
    lastSequence,
    attemptsBefore,
  }: StoredRunContent,
  dependencies: ContinueDependencies,
  lost: AbortController,
): Promise<void> {
  const { database, clock, log, runs, notices } = dependencies;
  const failed = (error: unknown) => lost.abort(error);
  const events = new EventLog({ run, lastSequence, database, notices, failed });
  const recorder = createDurableRecorder(run, {
    ...{ database, clock, events, attemptsBefore },
    participants: runs.participants,
    contentHours: runs.contentHours,
  });
  let step = resumed.steps.length;
  // The assistant is read just before the first step.
  let isContinued = false;
  const tools = idempotentTools(runs.tools, {
    runId: run.id,
    step: () => step,
    passages: resumed.passages,
    stored: toolResults,
    save: (token, result) => saveToolResult(run, token, result, { database }),
  });
  try {
    if (run.attempts > attemptsMax) throw new AppError('RUN_INTERRUPTED', interruptedTooOften);
    const person = await readRunner(run, { database, clock });
    const ready = await prepareRun(
      { ...request, person, keyId: run.keyId, files: [] },
      // The slot of the quota was taken before the run was claimed.
      {
        ...dependencies,
        signal: lost.signal,
        quotas: { startRun: async () => slotTakenBefore },
      },
      {
        ...{ question, sentPassages, resumed, tools },
        recorder: {
          runId: run.id,
          async beforeStep(next) {
            step = next.number;
            // Access that has ended since ends the run before it costs anything more.
            const runner = await readRunner(run, { database, clock });
            if (isContinued) await requireRunnable({ ...request, person: runner }, { database });
            isContinued = true;
            await recorder.beforeStep(next);
          },
          stepEnded: recorder.stepEnded,
          // How a run fails is decided below: some failures are only an interruption.
          end: async (outcome) => {
            if (outcome.state === 'COMPLETED') await recorder.end(outcome);
          },
        },
      },
    );
    await ready({ signal: lost.signal, emit: (event) => events.add(event) });
  } catch (error) {
    const cause = lost.signal.aborted ? lost.signal.reason : error;
    if (cause instanceof LeaseLost) throw cause;
    if (isInterruption(cause)) {
      log.warn({ err: cause, run: run.id }, 'A run was interrupted and continues later');
      await postponeRun(run, { seconds: retrySeconds }, { database });
      return;
    }
    if (!(cause instanceof AppError))
      log.error({ err: cause, run: run.id }, 'A run failed unexpectedly');
    await recorder.end({ state: 'FAILED', ...failureOf(cause) });
  } finally {
    events.close();
  }
}

const interruptedTooOften = `The run was interrupted ${attemptsMax} times in the same step`;

/** The database, the vault or the storage is out of reach for a while. */
const isInterruption = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof AppError && error.code === 'UNAVAILABLE');
