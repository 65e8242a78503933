import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import type { RunHeartbeats } from './run-heartbeats.ts';
import {
  insertAndCountSteps,
  insertRecords,
  insertSteps,
  type RecordRow,
  type RecordStart,
  type RunOutcome,
  type RunParticipant,
  type RunRecord,
  recordEnd,
  recordRow,
  stepRow,
} from './run-record.ts';
import type { FinishedStep, StepObserver } from './run-steps.ts';
import { RunWrites } from './run-writes.ts';
import type { CommitShared } from './shared-commits.ts';

type RecorderDependencies = {
  database: Database;
  clock: Clock;
  participants: readonly RunParticipant[];
  heartbeats?: Pick<RunHeartbeats, 'begin' | 'end'>;
  /** Locks the run, or throws if this process may not write to it any more. */
  lock?: (tx: Transaction) => Promise<void>;
  /** Absent for a run whose transactions are its own. */
  commitShared?: CommitShared | undefined;
  /** The start of a run that has no record yet. */
  start?: RecordStart | undefined;
};

export type RunRecorder = StepObserver & {
  runId: string;
  /** Writes the start now, because the client gets the id before the end of the run. */
  writeStart?(): void;
  /** `addWrites` adds what is committed with the end. */
  end(outcome: RunOutcome, addWrites?: (writes: RunWrites) => void): Promise<void>;
};

// Most answers of the built-in model take less, and then one transaction writes the whole record.
const delayMs = 100;

/**
 * Writes the start, the steps and the end of a run; no start if the run has a record already. The
 * start and the steps are written a little later, while the model is called, or with the end if that
 * comes before. Nobody has seen an answer or the id of the run until then, except the client of a
 * stream, whose start is written at once.
 */
export function createRecorder(
  run: RunRecord,
  { database, clock, participants, lock, start, heartbeats, commitShared }: RecorderDependencies,
): RunRecorder {
  heartbeats?.begin(run.id);
  let unwritten: { start?: RecordRow | undefined; steps: FinishedStep[] } = {
    start: start && recordRow(run, start),
    steps: [],
  };
  let timer: NodeJS.Timeout | undefined;
  /** The last write that goes on while the run does. */
  let written: Promise<unknown> | undefined;
  const sharesCommits = () =>
    !participants.some((participant) => participant.locksSharedRows?.(run)) && commitShared;

  /** Commits what is not written yet. With an outcome the run ends. */
  async function commit(
    outcome?: RunOutcome,
    addWrites?: (writes: RunWrites) => void,
  ): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // Waiting within the transaction would occupy a connection. An error is thrown once.
    const before = written;
    written = undefined;
    await before;
    const { start, steps } = unwritten;
    unwritten = { steps: [] };
    const write = (writes: RunWrites) => {
      if (start && !outcome) writes.addFirst(insertRecords, start);
      for (const step of steps) {
        writes.add(outcome ? insertSteps : insertAndCountSteps, stepRow(run, step));
        for (const participant of participants) participant.recordStep?.(writes, run, step);
      }
      if (outcome) recordEnd(writes, run, outcome, { clock, participants, start, steps });
      addWrites?.(writes);
    };
    try {
      const share = sharesCommits();
      if (share) return await share(run.organizationId, write);
      await database.transact(async (tx) => {
        await lock?.(tx);
        const writes = new RunWrites();
        write(writes);
        writes.sendTo(tx);
      });
    } catch (error) {
      // The end of the failed run writes it.
      unwritten = { start, steps: [...steps, ...unwritten.steps] };
      throw error;
    }
  }
  /** Whoever writes next gets the error. */
  const writeInBackground = () => {
    written = commit();
    written.catch(() => undefined);
  };
  const writeSoon = () => {
    timer ??= setTimeout(writeInBackground, delayMs);
  };
  if (start) writeSoon();

  const writeStep = async (step: FinishedStep) => {
    unwritten.steps.push(step);
    // Nothing that follows needs the step to be stored, so the run goes on. Where it locks rows that
    // other runs lock as well, such as budgets, the step is stored first.
    if (sharesCommits()) writeSoon();
    else await commit();
  };
  // The last step of a run is written with its end, in one round trip.
  let lastStep: FinishedStep | undefined;
  return {
    runId: run.id,
    writeStart() {
      if (unwritten.start) writeInBackground();
    },
    async beforeStep(step) {
      // The step before requested no tools, and its answer has to be mended.
      if (lastStep) await writeStep(lastStep);
      lastStep = undefined;
      for (const participant of participants) await participant.beforeStep?.(run, step);
    },
    async stepEnded(step) {
      lastStep = step;
      if (!step.requestsTools) return;
      await writeStep(step);
      lastStep = undefined;
    },
    async end(outcome, addWrites) {
      heartbeats?.end(run.id);
      if (lastStep) unwritten.steps.push(lastStep);
      lastStep = undefined;
      await commit(outcome, addWrites);
    },
  };
}
