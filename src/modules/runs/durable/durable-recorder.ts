import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import type { RunParticipant } from '../run-record.ts';
import { createRecorder, type RunRecorder } from '../run-recorder.ts';
import type { ClaimedRun } from './claim-run.ts';
import { contentOfEnd } from './content-of-end.ts';
import type { EventLog } from './event-log.ts';
import type { ToolResult } from './idempotent-tools.ts';
import { notifyOfEnd } from './notify-of-end.ts';
import { LeaseLost } from './run-leases.ts';

type DurableRecorderOptions = {
  database: Database;
  clock: Clock;
  participants: readonly RunParticipant[];
  contentHours: number;
  events: EventLog;
  attemptsBefore: number;
};

/**
 * Records the steps and the end of a durable run with their content, as long as this process has
 * the lease. The events of a step are stored before the step is, so that a reader has the whole
 * text of every finished step.
 */
export function createDurableRecorder(
  run: ClaimedRun,
  { database, clock, participants, contentHours, events, attemptsBefore }: DurableRecorderOptions,
): RunRecorder {
  const content: RunParticipant = {
    recordStep(writes, { id, organizationId }, { number, messages, requestsTools, finishReason }) {
      writes.enqueue`
        insert into run_step_contents (run_id, number, organization_id, messages, requests_tools, finish_reason)
        values (${id}, ${number}::int, ${organizationId}, ${JSON.stringify(messages)}, ${requestsTools}, ${finishReason})`;
      writes.enqueue`update runs set attempts = 1 where id = ${id} and organization_id = ${organizationId}`;
    },
    recordEnd: contentOfEnd(contentHours),
  };
  // The content comes first: other participants may keep it for longer.
  const recorder = createRecorder(run, {
    ...{ database, clock },
    participants: [content, { recordEnd: notifyOfEnd(clock) }, ...participants],
    lock: (tx) => lockRun(run, tx),
  });
  let attempt = attemptsBefore + 1;
  return {
    runId: run.id,
    async beforeStep(step) {
      await recorder.beforeStep(step);
      events.add({ type: 'step', number: step.number, attempt });
      attempt = 1;
    },
    async stepEnded(step) {
      await events.flush();
      await recorder.stepEnded(step);
    },
    async end(outcome) {
      await events.flush();
      await recorder.end(outcome);
    },
  };
}

async function lockRun({ id, holder }: ClaimedRun, { sql }: Transaction): Promise<void> {
  const rows = await sql`
    select id from runs where id = ${id} and lease_holder = ${holder} and state = 'RUNNING' for update`;
  if (rows.length === 0) throw new LeaseLost();
}

/** Stores the result of a tool call under its token. */
export async function saveToolResult(
  { id, holder }: ClaimedRun,
  token: string,
  { output, isError, passages }: ToolResult,
  { database: { sql } }: { database: Database },
): Promise<void> {
  const rows = await sql`
    with holder as (
      select id, organization_id from runs where id = ${id} and lease_holder = ${holder} and state = 'RUNNING' for share)
    insert into run_tool_results (run_id, token, organization_id, output, is_error, passages)
    select holder.id, ${token}, holder.organization_id, ${JSON.stringify(output)}, ${isError}, ${JSON.stringify(passages)} from holder
    returning token`;
  if (rows.length === 0) throw new LeaseLost();
}
