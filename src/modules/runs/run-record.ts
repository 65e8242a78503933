import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import { heartbeatSeconds, type RunHeartbeats } from './run-heartbeats.ts';
import type { AnswerMessage, RunResult } from './run-result.ts';
import type { FinishedStep, StepObserver } from './run-steps.ts';
import type { CommitShared } from './shared-commits.ts';

/** What the record of a run says from its start. */
export type RunRecord = {
  id: string;
  organizationId: string;
  /** The person who started the run, and their key; null for a signed-in person. */
  userId: string;
  keyId: string | null;
  assistantId: string;
  /** The conversation that the run answers a question of. */
  conversationId: string | null;
  /** When the assistant was last changed before the run. */
  assistantVersion: string;
  model: string;
};

export type RunOutcome =
  | { state: 'COMPLETED'; result: RunResult; question: string }
  | {
      state: 'FAILED' | 'CANCELLED' | 'EXPIRED';
      errorCode: ErrorCode;
      message: string;
      /** What the run wrote in the step that did not end. */
      written?: readonly AnswerMessage[];
    };

/**
 * A part of the product that follows every run. It writes in the transaction that records a step or
 * the end, so that both are stored or neither.
 */
export type RunParticipant = {
  /** An error refuses the step and ends the run. */
  beforeStep?(run: RunRecord, step: { number: number }): Promise<void>;
  recordStep?(tx: Transaction, run: RunRecord, step: FinishedStep): void;
  recordEnd?(tx: Transaction, run: RunRecord, outcome: RunOutcome): void;
  /** Whether it locks rows that other runs lock as well. The run then has its own transactions. */
  locksSharedRows?(run: RunRecord): boolean;
};

type RecorderDependencies = {
  database: Database;
  clock: Clock;
  participants: readonly RunParticipant[];
  heartbeats?: Pick<RunHeartbeats, 'begin' | 'end'>;
  /** Locks the run, or throws if this process may not write to it any more. */
  lock?: (tx: Transaction) => Promise<void>;
  /** Absent for a run whose transactions are its own. */
  commitShared?: CommitShared | undefined;
  /** Resolves when the run has a record, if it is still being written. */
  started?: Promise<unknown>;
};

export type RunRecorder = StepObserver & {
  runId: string;
  end(outcome: RunOutcome): Promise<void>;
};

/**
 * Writes the record of a run that begins now, and then its steps and its end. The model is called
 * while the record is written: its steps and its end wait for it.
 */
export function startRecord(run: RunRecord, dependencies: RecorderDependencies): RunRecorder {
  const startedAt = dependencies.clock();
  const start = { state: 'RUNNING', isDurable: false, createdAt: startedAt, startedAt } as const;
  const record = insertRecord(run, start);
  // A dry run rolls back transactions only.
  const started =
    dependencies.commitShared?.(run.organizationId, (tx) => tx.enqueue`${record}`) ??
    dependencies.database.transact((tx) => tx.commitWith`${record}`);
  // Whoever writes a step or the end gets the error.
  started.catch(() => undefined);
  dependencies.heartbeats?.begin(run.id);
  return createRecorder(run, { ...dependencies, started });
}

type RecordStart = {
  state: 'QUEUED' | 'RUNNING';
  isDurable: boolean;
  createdAt: Date;
  startedAt: Date | null;
};

/** SQL that inserts the record of a run. */
export const insertRecord = (
  run: RunRecord,
  { state, isDurable, createdAt, startedAt }: RecordStart,
): Fragment => fragment`
  insert into runs (id, organization_id, assistant_id, assistant_version, user_id, key_id, conversation_id, is_durable, state, model, created_at, started_at,
    lease_until)
  values (${run.id}, ${run.organizationId}, ${run.assistantId}, ${run.assistantVersion}::timestamptz, ${run.userId}, ${run.keyId},
    ${run.conversationId}, ${isDurable}, ${state}::run_state, ${run.model}, ${createdAt}, ${startedAt}::timestamptz,
    ${isDurable ? fragment`null` : fragment`clock_timestamp() + make_interval(secs => ${heartbeatSeconds})`})`;

/** Writes the steps and the end of a run. */
export function createRecorder(
  run: RunRecord,
  { database, clock, participants, lock, started, heartbeats, commitShared }: RecorderDependencies,
): RunRecorder {
  // The last step of a run is written with its end, in one round trip.
  let lastStep: FinishedStep | undefined;
  const writeLastStep = (tx: Transaction) => {
    if (!lastStep) return;
    recordStep(tx, run, lastStep);
    for (const participant of participants) participant.recordStep?.(tx, run, lastStep);
  };
  const commit = async (write: (tx: Transaction) => void) => {
    // Waiting within the transaction would occupy a connection.
    await started;
    if (commitShared && !participants.some((participant) => participant.locksSharedRows?.(run)))
      return commitShared(run.organizationId, write);
    await database.transact(async (tx) => {
      await lock?.(tx);
      write(tx);
    });
  };
  return {
    runId: run.id,
    async beforeStep(step) {
      // The step before requested no tools, and its answer has to be mended.
      if (lastStep) await commit(writeLastStep);
      lastStep = undefined;
      for (const participant of participants) await participant.beforeStep?.(run, step);
    },
    async stepEnded(step) {
      lastStep = step;
      if (!step.requestsTools) return;
      await commit(writeLastStep);
      lastStep = undefined;
    },
    async end(outcome) {
      heartbeats?.end(run.id);
      await commit((tx) => {
        writeLastStep(tx);
        recordEnd(tx, run, outcome, { clock, participants });
      });
    },
  };
}

/** Writes the end of a run with what every participant writes at the end. */
export function recordEnd(
  tx: Transaction,
  run: RunRecord,
  outcome: RunOutcome,
  { clock, participants }: Pick<RecorderDependencies, 'clock' | 'participants'>,
): void {
  const errorCode = outcome.state === 'COMPLETED' ? null : outcome.errorCode;
  tx.enqueue`
    update runs set state = ${outcome.state}::run_state, ended_at = ${clock()}, error_code = ${errorCode},
      lease_holder = null, lease_until = null
    where id = ${run.id} and organization_id = ${run.organizationId}`;
  for (const participant of participants) participant.recordEnd?.(tx, run, outcome);
}

function recordStep(
  tx: Transaction,
  { id, organizationId, model }: RunRecord,
  { number, startedAt, endedAt, usage }: FinishedStep,
): void {
  const { promptTokens, completionTokens, cachedTokens } = usage;
  tx.enqueue`
    with step as (
      insert into run_steps (run_id, number, organization_id, model, started_at, ended_at, prompt_tokens, completion_tokens, cached_tokens)
      values (${id}, ${number}::int, ${organizationId}, ${model}, ${startedAt}, ${endedAt}, ${promptTokens}::int, ${completionTokens}::int, ${cachedTokens}::int)
      returning prompt_tokens, completion_tokens, cached_tokens)
    update runs r set step_count = step_count + 1, prompt_tokens = r.prompt_tokens + step.prompt_tokens,
      completion_tokens = r.completion_tokens + step.completion_tokens, cached_tokens = r.cached_tokens + step.cached_tokens
    from step where r.id = ${id} and r.organization_id = ${organizationId}`;
}
