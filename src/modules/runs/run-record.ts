import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import { heartbeatSeconds, type RunHeartbeats } from './run-heartbeats.ts';
import type { AnswerMessage, RunResult } from './run-result.ts';
import type { FinishedStep, StepObserver, StepUsage } from './run-steps.ts';
import { type RowsStatement, RunWrites, rowsTable } from './run-writes.ts';
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
  recordStep?(writes: RunWrites, run: RunRecord, step: FinishedStep): void;
  recordEnd?(writes: RunWrites, run: RunRecord, outcome: RunOutcome): void;
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
  /** The start of a run that has no record yet. */
  start?: RecordStart | undefined;
};

export type RunRecorder = StepObserver & {
  runId: string;
  /** Writes the start now, because the client gets the id before the end of the run. */
  writeStart?(): void;
  end(outcome: RunOutcome): Promise<void>;
};

// Most answers of the built-in model take less, and then one transaction writes the whole record.
const startWaitMs = 100;

const writeRecord = (
  record: ReturnType<typeof recordRow>,
  { commitShared, database }: Pick<RecorderDependencies, 'commitShared' | 'database'>,
): Promise<unknown> =>
  commitShared?.(record.organizationId, (writes) => writes.add(insertRecords, record)) ??
  // A dry run rolls back transactions only.
  database.transact((tx) => tx.commitWith`${insertRecords([record])}`);

type RecordStart = {
  state: 'QUEUED' | 'RUNNING';
  isDurable: boolean;
  createdAt: Date;
  startedAt: Date | null;
};

/** The start of a run that ends with its request. */
export const runningFrom = (startedAt: Date): RecordStart => ({
  ...{ state: 'RUNNING', isDurable: false, createdAt: startedAt, startedAt },
});

/** The row of a record that begins. */
export const recordRow = (run: RunRecord, start: RecordStart) => ({ ...run, ...start });

/** SQL that inserts the records of runs. */
export const insertRecords: RowsStatement<ReturnType<typeof recordRow>> = (rows) => fragment`
  insert into runs (id, organization_id, assistant_id, assistant_version, user_id, key_id, conversation_id, is_durable, state, model, created_at, started_at,
    lease_until)
  select id, "organizationId", "assistantId", "assistantVersion", "userId", "keyId", "conversationId", "isDurable", state, model, "createdAt", "startedAt",
    case when not "isDurable" then clock_timestamp() + make_interval(secs => ${heartbeatSeconds}) end
  from ${rowsTable(
    rows,
    fragment`id text, "organizationId" text, "assistantId" text, "assistantVersion" timestamptz, "userId" text, "keyId" text, "conversationId" text,
      "isDurable" boolean, state run_state, model text, "createdAt" timestamptz, "startedAt" timestamptz`,
  )}`;

/**
 * Writes the start of a run, unless it has a record, and then its steps and its end. The start is
 * written a little later, while the model is called, or with the first step or the end if that
 * comes before: until then nobody has seen an answer or the id of the run.
 */
export function createRecorder(
  run: RunRecord,
  { database, clock, participants, lock, start, heartbeats, commitShared }: RecorderDependencies,
): RunRecorder {
  heartbeats?.begin(run.id);
  let unwritten = start && recordRow(run, start);
  const takeStart = () => {
    clearTimeout(timer);
    const row = unwritten;
    unwritten = undefined;
    return row;
  };
  const writeStart = () => {
    const row = takeStart();
    if (!row) return;
    written = writeRecord(row, { commitShared, database });
    // Whoever writes a step or the end gets the error.
    written.catch(() => undefined);
  };
  const timer = start && setTimeout(writeStart, startWaitMs);
  // The last step of a run is written with its end, in one round trip.
  let lastStep: FinishedStep | undefined;
  const writeStep = (writes: RunWrites, step: FinishedStep, insert: RowsStatement<StepRow>) => {
    writes.add(insert, stepRow(run, step));
    for (const participant of participants) participant.recordStep?.(writes, run, step);
  };
  /** The last write that goes on while the run does. */
  let written: Promise<unknown> | undefined;
  const sharesCommits = () =>
    !participants.some((participant) => participant.locksSharedRows?.(run)) && commitShared;
  const commit = async (write: (writes: RunWrites) => void) => {
    // Waiting within the transaction would occupy a connection.
    await written;
    const row = takeStart();
    const writeAll = (writes: RunWrites) => {
      if (row) writes.addFirst(insertRecords, row);
      write(writes);
    };
    try {
      const share = sharesCommits();
      if (share) return await share(run.organizationId, writeAll);
      await database.transact(async (tx) => {
        await lock?.(tx);
        const writes = new RunWrites();
        writeAll(writes);
        writes.sendTo(tx);
      });
    } catch (error) {
      // The end of the failed run writes it.
      unwritten = row;
      throw error;
    }
  };
  const commitStep = async (step: FinishedStep) => {
    const committed = commit((writes) => writeStep(writes, step, insertAndCountSteps));
    if (!sharesCommits()) return committed;
    // Nothing that follows needs the step to be stored, so the run goes on. Whoever writes the next
    // step or the end gets the error.
    written = committed;
    committed.catch(() => undefined);
  };
  return {
    runId: run.id,
    writeStart,
    async beforeStep(step) {
      // The step before requested no tools, and its answer has to be mended.
      if (lastStep) await commitStep(lastStep);
      lastStep = undefined;
      for (const participant of participants) await participant.beforeStep?.(run, step);
    },
    async stepEnded(step) {
      lastStep = step;
      if (!step.requestsTools) return;
      await commitStep(step);
      lastStep = undefined;
    },
    async end(outcome) {
      heartbeats?.end(run.id);
      const step = lastStep;
      await commit((writes) => {
        if (step) writeStep(writes, step, insertSteps);
        recordEnd(writes, run, outcome, { clock, participants, lastUsage: step?.usage });
      });
    },
  };
}

type EndDependencies = Pick<RecorderDependencies, 'clock' | 'participants'> & {
  /** The usage of the step that is written with the end. */
  lastUsage?: StepUsage | undefined;
};

/** Writes the end of a run with what every participant writes at the end. */
export function recordEnd(
  writes: RunWrites,
  run: RunRecord,
  outcome: RunOutcome,
  { clock, participants, lastUsage }: EndDependencies,
): void {
  const errorCode = outcome.state === 'COMPLETED' ? null : outcome.errorCode;
  writes.add(
    endRecords,
    endRow(run, lastUsage, { state: outcome.state, endedAt: clock(), errorCode }),
  );
  for (const participant of participants) participant.recordEnd?.(writes, run, outcome);
}

const usageColumns = fragment`"promptTokens" int, "completionTokens" int, "cachedTokens" int`;
const addUsage = fragment`
  prompt_tokens = r.prompt_tokens + item."promptTokens", completion_tokens = r.completion_tokens + item."completionTokens",
  cached_tokens = r.cached_tokens + item."cachedTokens"`;

/** The array makes Postgres look the runs up by their index; it expects more items than there are. */
const isRunOfItem = fragment`
  r.id = any(array(select id from item)) and r.id = item.id and r.organization_id = item."organizationId"`;

const noUsage: StepUsage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };

/** The end of a run, with the counts of the step that is written with it, if there is one. */
const endRow = (
  { id, organizationId }: RunRecord,
  usage: StepUsage | undefined,
  end: { state: string; endedAt: Date; errorCode: string | null },
) => ({ id, organizationId, steps: usage ? 1 : 0, ...noUsage, ...usage, ...end });

/** The counts and the state are written together, because each version of a row costs as much. */
const endRecords: RowsStatement<ReturnType<typeof endRow>> = (rows) => fragment`
  with item as (
    select * from ${rowsTable(
      rows,
      fragment`id text, "organizationId" text, steps int, ${usageColumns}, state run_state, "endedAt" timestamptz, "errorCode" text`,
    )})
  update runs r set step_count = r.step_count + item.steps, ${addUsage}, state = item.state, ended_at = item."endedAt",
    error_code = item."errorCode", lease_holder = null, lease_until = null
  from item where ${isRunOfItem}`;

const stepRow = (
  { id, organizationId, model }: RunRecord,
  { number, startedAt, endedAt, usage }: FinishedStep,
) => ({ id, number, organizationId, model, startedAt, endedAt, ...usage });

type StepRow = ReturnType<typeof stepRow>;

const stepItems = (rows: readonly StepRow[]) => fragment`
  item as (
    select * from ${rowsTable(
      rows,
      fragment`id text, number int, "organizationId" text, model text, "startedAt" timestamptz, "endedAt" timestamptz, ${usageColumns}`,
    )})`;
const insertStepItems = fragment`
  insert into run_steps (run_id, number, organization_id, model, started_at, ended_at, prompt_tokens, completion_tokens, cached_tokens)
  select id, number, "organizationId", model, "startedAt", "endedAt", "promptTokens", "completionTokens", "cachedTokens" from item`;

/** For steps whose counts are written with the end of their run. */
const insertSteps: RowsStatement<StepRow> = (rows) =>
  fragment`with ${stepItems(rows)} ${insertStepItems}`;

const insertAndCountSteps: RowsStatement<StepRow> = (rows) => fragment`
  with ${stepItems(rows)}, counted as (
    update runs r set step_count = r.step_count + 1, ${addUsage} from item where ${isRunOfItem})
  ${insertStepItems}`;
