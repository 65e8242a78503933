import type { Upload } from '../../../http/upload.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { committedResult, inTransaction } from '../../../platform/database/transaction.ts';
import { AppError } from '../../../platform/errors.ts';
import { openQuestion } from '../../conversations/open-question.ts';
import type { StoredQuestion } from '../../conversations/store-question.ts';
import { createFence } from '../fence.ts';
import type { FoundPassage } from '../passages.ts';
import { readSentFiles } from '../read-sent-files.ts';
import { requireOutputSupport, requireRun } from '../require-run.ts';
import { type RunAssistantInput, type RunDependencies, recordOf } from '../run-assistant.ts';
import { insertRecords, recordRow } from '../run-record.ts';
import type { DurableRuns } from './durable-runs.ts';

/** What a request that is repeated after its process ended knows of its run. */
type AcceptedRun = Pick<StoredQuestion, 'runId'>;

type StartDependencies = RunDependencies & { durableRuns: DurableRuns };

const retryAfterSeconds = 10;

/**
 * Accepts a run that goes on without its caller: it is stored with all that it needs, and some
 * process executes it. Returns its id. Everything that can refuse a run refuses it here.
 */
export async function startRun(
  input: RunAssistantInput,
  dependencies: StartDependencies,
): Promise<string> {
  const { database, clock, runs, durableRuns } = dependencies;
  const accepted = committedResult<AcceptedRun>(database);
  if (accepted) return accepted.result.runId;
  const { person, keyId: _, files, conversation, ...request } = input;
  const assistant = await requireRun(input, { database, clock });
  const { name: model } = runs.models.choose(assistant.model);
  requireOutputSupport(input, model);
  const vault = dependencies.vaultFor(person);
  const question = conversation && (await openQuestion({ ...input, conversation }, dependencies));
  const messages = question?.messages ?? input.messages;
  const readFiles = (uploads: readonly Upload[]) =>
    readSentFiles(uploads, { ...dependencies, vault });
  const record = recordOf(input, { assistantVersion: assistant.updatedAt, model });
  const remaining = await dependencies.budgets?.guard.requireRoom(record);
  if (remaining !== undefined) dependencies.clientInfo?.setHeader('x-budget-remaining', remaining);
  const storeRun = async (
    tx: Transaction,
    sentPassages: readonly FoundPassage[],
    stored?: StoredQuestion,
  ) => {
    await requireRoomInQueue(person.organizationId, durableRuns.queuedMax, tx);
    const start = {
      state: 'QUEUED',
      isDurable: true,
      createdAt: clock(),
      startedAt: null,
    } as const;
    tx.enqueue`${insertRecords([recordRow(record, start)])}`;
    tx.enqueue`
      insert into run_contents (run_id, organization_id, request, sent_passages, fence)
      values (${record.id}, ${record.organizationId}, ${JSON.stringify({ ...request, messages, question: stored })}, ${JSON.stringify(sentPassages)}, ${createFence()})`;
  };
  try {
    if (question) {
      const passages = await question.readFiles(readFiles);
      await question.store(record, (tx, stored) => storeRun(tx, passages, stored));
    } else {
      const passages = await readFiles(files);
      await inTransaction<AcceptedRun>(database, async (tx) => {
        await storeRun(tx, passages);
        return { runId: record.id };
      });
    }
  } catch (error) {
    await question?.discard();
    throw error;
  }
  durableRuns.wake();
  return record.id;
}

/** What a stored run was asked: the input without its caller and without its files. */
export type StoredRequest = Omit<
  RunAssistantInput,
  'person' | 'keyId' | 'files' | 'conversation'
> & {
  /** The question in its conversation, if it has one. */
  question?: StoredQuestion | undefined;
};

/** Starts of one organization wait for each other here, so that none exceeds the bound. */
async function requireRoomInQueue(
  organizationId: string,
  queuedMax: number,
  { sql }: Transaction,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('queue of runs ' || ${organizationId}, 0))`;
  const [queue] = await sql<{ isFull: boolean }>`
    select count(*) >= ${queuedMax}::int as "isFull" from (
      select from runs where organization_id = ${organizationId} and is_durable and state = 'QUEUED' limit ${queuedMax}::int) queued`;
  if (queue?.isFull)
    throw new AppError(
      'CONCURRENCY_LIMIT_REACHED',
      `Your organization may have ${queuedMax} runs waiting; wait until some have ended, and try again`,
      'RUNS',
      retryAfterSeconds,
    );
}
