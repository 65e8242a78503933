import type { Clock } from '../../platform/clock.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import { heartbeatSeconds } from './run-heartbeats.ts';
import type { AnswerMessage, RunResult } from './run-result.ts';
import type { FinishedStep, StepUsage } from './run-steps.ts';
import { type RowsStatement, type RunWrites, rowsTable } from './run-writes.ts';

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

export type RecordStart = {
  state: 'QUEUED' | 'RUNNING';
  isDurable: boolean;
  createdAt: Date;
  startedAt: Date | null;
};

/** The start of a run that ends with its request. */
export const runningFrom = (startedAt: Date): RecordStart => ({
  ...{ state: 'RUNNING', isDurable: false, createdAt: startedAt, startedAt },
});

const startColumns = fragment`id text, "organizationId" text, "assistantId" text, "assistantVersion" timestamptz, "userId" text, "keyId" text,
  "conversationId" text, "isDurable" boolean, model text, "createdAt" timestamptz, "startedAt" timestamptz, state run_state`;
const usageColumns = fragment`"promptTokens" int, "completionTokens" int, "cachedTokens" int`;
const endColumns = fragment`steps int, ${usageColumns}, "endedAt" timestamptz, "errorCode" text`;

/** The row of a record that begins. */
export const recordRow = (run: RunRecord, start: RecordStart) => ({ ...run, ...start });

export type RecordRow = ReturnType<typeof recordRow>;

/** SQL that inserts the records of runs. */
export const insertRecords: RowsStatement<RecordRow> = (rows) => fragment`
  insert into runs (id, organization_id, assistant_id, assistant_version, user_id, key_id, conversation_id, is_durable, state, model, created_at, started_at,
    lease_until)
  select id, "organizationId", "assistantId", "assistantVersion", "userId", "keyId", "conversationId", "isDurable", state, model, "createdAt", "startedAt",
    case when not "isDurable" then clock_timestamp() + make_interval(secs => ${heartbeatSeconds}) end
  from ${rowsTable(rows, startColumns)}`;

/**
 * SQL that inserts the records of runs that have ended. An update after an insert would cost a second
 * version of the row in every index. The trigger that writes the audit entry of the end follows
 * updates, so this statement writes the same entry.
 */
const insertEndedRecords: RowsStatement<Omit<RecordRow, 'state'> & EndRow> = (rows) => fragment`
  with item as (select * from ${rowsTable(rows, fragment`${startColumns}, ${endColumns}`)}),
  record as (
    insert into runs (id, organization_id, assistant_id, assistant_version, user_id, key_id, conversation_id, is_durable, state, model, created_at,
      started_at, ended_at, error_code, step_count, prompt_tokens, completion_tokens, cached_tokens)
    select id, "organizationId", "assistantId", "assistantVersion", "userId", "keyId", "conversationId", "isDurable", state, model, "createdAt",
      "startedAt", "endedAt", "errorCode", steps, "promptTokens", "completionTokens", "cachedTokens" from item)
  insert into audit_entries (id, organization_id, at, actor_kind, action, target_type, target_id, changes)
  select new_id(), "organizationId", "endedAt", 'SYSTEM',
    case state when 'COMPLETED' then 'complete-run' when 'CANCELLED' then 'cancel-run' else 'fail-run' end,
    'Run', id, jsonb_strip_nulls(jsonb_build_object('assistantId', "assistantId", 'state', state, 'errorCode', "errorCode")) from item`;

type EndDependencies = {
  clock: Clock;
  participants: readonly RunParticipant[];
  /** The start, if it is written with the end. */
  start?: RecordRow | undefined;
  /** The steps that are written with the end. */
  steps?: readonly FinishedStep[];
};

/** Writes the end of a run with what every participant writes at the end. */
export function recordEnd(
  writes: RunWrites,
  run: RunRecord,
  outcome: RunOutcome,
  { clock, participants, start, steps = [] }: EndDependencies,
): void {
  const errorCode = outcome.state === 'COMPLETED' ? null : outcome.errorCode;
  const end = endRow(run, steps, { state: outcome.state, endedAt: clock(), errorCode });
  if (start) writes.addFirst(insertEndedRecords, { ...start, ...end });
  else writes.add(endRecords, end);
  for (const participant of participants) participant.recordEnd?.(writes, run, outcome);
}

const addUsage = fragment`
  prompt_tokens = r.prompt_tokens + item."promptTokens", completion_tokens = r.completion_tokens + item."completionTokens",
  cached_tokens = r.cached_tokens + item."cachedTokens"`;

/** The array makes Postgres look the runs up by their index; it expects more items than there are. */
const isRunOfItem = fragment`
  r.id = any(array(select id from item)) and r.id = item.id and r.organization_id = item."organizationId"`;

/** The end of a run, with the counts of the steps that are written with it. */
const endRow = (
  { id, organizationId }: RunRecord,
  steps: readonly FinishedStep[],
  end: { state: RunOutcome['state']; endedAt: Date; errorCode: string | null },
) => ({ id, organizationId, steps: steps.length, ...usageOf(steps), ...end });

type EndRow = ReturnType<typeof endRow>;

const usageOf = (steps: readonly FinishedStep[]): StepUsage => {
  const sum = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
  for (const { usage } of steps) {
    sum.promptTokens += usage.promptTokens;
    sum.completionTokens += usage.completionTokens;
    sum.cachedTokens += usage.cachedTokens;
  }
  return sum;
};

/** The counts and the state are written together, because each version of a row costs as much. */
const endRecords: RowsStatement<EndRow> = (rows) => fragment`
  with item as (
    select * from ${rowsTable(rows, fragment`id text, "organizationId" text, state run_state, ${endColumns}`)})
  update runs r set step_count = r.step_count + item.steps, ${addUsage}, state = item.state, ended_at = item."endedAt",
    error_code = item."errorCode", lease_holder = null, lease_until = null
  from item where ${isRunOfItem}`;

export const stepRow = (
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
export const insertSteps: RowsStatement<StepRow> = (rows) =>
  fragment`with ${stepItems(rows)} ${insertStepItems}`;

export const insertAndCountSteps: RowsStatement<StepRow> = (rows) => fragment`
  with ${stepItems(rows)}, counted as (
    update runs r set step_count = r.step_count + item.steps, ${addUsage}
    from (
      select id, "organizationId", count(*) as steps, sum("promptTokens") as "promptTokens",
        sum("completionTokens") as "completionTokens", sum("cachedTokens") as "cachedTokens"
      from item group by id, "organizationId") as item
    where ${isRunOfItem})
  ${insertStepItems}`;
