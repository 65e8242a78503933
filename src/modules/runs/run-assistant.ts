import type { ClientInfo, Context } from '../../access/context.ts';
import type { Upload } from '../../http/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { runInBackground } from '../../platform/run-in-background.ts';
import type { FileServices } from '../assistant-files/file-services.ts';
import type { Person } from '../assistants/access.ts';
import type { BudgetServices } from '../budgets/budget-services.ts';
import { openQuestion } from '../conversations/open-question.ts';
import type { ConversationPlace } from '../conversations/prepare-question.ts';
import type { StoredQuestion } from '../conversations/store-question.ts';
import { writeTitle } from '../conversations/write-title.ts';
import type { Quotas } from '../quotas/quotas.ts';
import type { VaultFor } from '../vault/tenant-vault.ts';
import { countEmbeddings } from './count-embeddings.ts';
import type { RunOutput } from './output/read-output.ts';
import type { FoundPassage } from './passages.ts';
import { readSentFiles } from './read-sent-files.ts';
import { questionOf } from './receipts/receipt-participant.ts';
import { startSideStep } from './record-side-step.ts';
import { requireOutputSupport, requireRun } from './require-run.ts';
import { runModel } from './run-model.ts';
import { insertRecords, type RunRecord, recordRow, runningFrom } from './run-record.ts';
import { createRecorder, type RunRecorder } from './run-recorder.ts';
import type { RunEvent, RunMessage, RunResult } from './run-result.ts';
import type { ResumedSteps } from './run-steps.ts';
import { searchKnowledgeBase } from './search-knowledge-base.ts';
import type { RunServices } from './services.ts';
import type { Tool } from './tool.ts';
import { createUnfinishedStep } from './unfinished-step.ts';

export type RunAssistantInput = {
  assistantId: string;
  person: Person;
  /** The key of the person; null if they are signed in. */
  keyId: string | null;
  messages: readonly RunMessage[];
  files: readonly Upload[];
  /** The conversation of the person that gets the question and the answer. */
  conversation?: ConversationPlace | undefined;
  /** The maximum number of tokens that the model may write in all steps together. */
  outputTokensMax?: number | undefined;
  /** Overrides the temperature of the assistant. */
  temperature?: number | undefined;
  /** Requests a structured answer. */
  output?: RunOutput | undefined;
};
export type RunDependencies = {
  database: Database;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  runs: RunServices;
  vaultFor: VaultFor;
  quotas: Pick<Quotas, 'startRun'>;
  files: Pick<FileServices, 'storage' | 'quotas'>;
  /** Absent while a durable run is executed, whose steps are reserved one by one. */
  budgets?: Pick<BudgetServices, 'guard'> | undefined;
  /** Absent if no request waits for the run. */
  clientInfo?: Pick<ClientInfo, 'setHeader'> | undefined;
  currentViewer?: Context['currentViewer'] | undefined;
};

/**
 * A run that has been admitted and occupies a slot of the quota until it ends, so the caller must
 * start it. The caller can receive events and can cancel the run with a signal.
 */
export type ReadyRun = (listener?: {
  signal?: AbortSignal;
  emit?: (event: RunEvent) => void;
}) => Promise<RunResult>;

/** A durable run that was accepted before: what it has in place of files and a new record. */
export type StoredRun = {
  question: StoredQuestion | undefined;
  sentPassages: readonly FoundPassage[];
  recorder: RunRecorder;
  resumed: ResumedSteps;
  tools: readonly Tool[];
};

/**
 * Does everything that can refuse a run before the model is called: it checks the access and the
 * sponsorship, reserves a slot of the quota, and reads the sent files.
 */
export async function prepareRun(
  input: RunAssistantInput,
  dependencies: RunDependencies,
  stored?: StoredRun,
): Promise<ReadyRun> {
  const { assistantId, person, files, outputTokensMax } = input;
  const { database, clock, log, runs, budgets, clientInfo } = dependencies;
  const { organizationId } = person;
  const { assistant, model, question, messages, slot } = await runs.checkInTurn(
    { organizationId, signal: dependencies.signal },
    () => checkRun(input, dependencies),
  );
  const startRun = async (record: RunRecord, sentPassages: readonly FoundPassage[]) => {
    await budgets?.guard.admit(
      record,
      promptCharacters(assistant.instructions, messages, sentPassages),
    );
    const start = runningFrom(clock());
    const stored = await question
      ?.store(record, (tx) => tx.enqueue`${insertRecords([recordRow(record, start)])}`)
      .catch(async (error: unknown) => {
        await budgets?.guard.cancel(record);
        throw error;
      });
    const { participants, heartbeats, commitShared } = runs;
    const recorder = createRecorder(record, {
      ...{ database, clock, participants, heartbeats, commitShared },
      ...(!stored && { start }),
    });
    return { question: stored, recorder };
  };
  const vault = dependencies.vaultFor(person);
  try {
    const readFiles = (uploads: readonly Upload[]) =>
      readSentFiles(uploads, { ...dependencies, vault });
    const sentPassages =
      stored?.sentPassages ?? (await (question?.readFiles(readFiles) ?? readFiles(files)));
    const record = recordOf(input, { assistantVersion: assistant.updatedAt, model: model.name });
    const { question: storedQuestion, recorder } = stored
      ? stored
      : await startRun(record, sentPassages);
    const { runId } = recorder;
    clientInfo?.setHeader('x-run-id', runId);
    const tellBudget = () => {
      const remaining = budgets?.guard.remainingOf(record);
      if (remaining !== undefined) clientInfo?.setHeader('x-budget-remaining', remaining);
    };
    tellBudget();
    const embeddings = countEmbeddings();
    const search = (query: string, signal: AbortSignal) =>
      searchKnowledgeBase(
        { assistantId, organizationId, query, signal, embedded: embeddings.add },
        { vault, database },
      );
    const observer = embeddings.addedTo(recorder);
    return async ({ signal = dependencies.signal, emit: notify } = {}) => {
      const { tokenBudget, outputs } = runs;
      const output =
        input.output && outputs ? { ...input.output, check: outputs.check } : undefined;
      const tools = stored?.tools ?? runs.tools;
      const resumed = stored?.resumed;
      const unfinished = createUnfinishedStep();
      const emit = notify && unfinished.follow(notify);
      // A stream begins with the id of the run.
      if (notify) recorder.writeStart?.();
      try {
        const answer = await runModel(
          {
            assistant,
            messages,
            sentPassages,
            model,
            organizationId,
            outputTokensMax,
            resumed,
            output,
          },
          { tools, tokenBudget, search, clock, log, signal, emit, observer },
        );
        // A conversation has no reason beside its answers, so nobody would know why this one is empty.
        if (storedQuestion && answer.finishReason === 'CONTENT_FILTER' && answer.text.trim() === '')
          throw new AppError(
            'PROVIDER_FAILED',
            'A filter of the model provider held back the whole answer',
          );
        const result = {
          ...{ runId, ...answer },
          ...(storedQuestion && { answerMessageId: storedQuestion.answerId }),
        };
        const outcome = { state: 'COMPLETED' as const, result, question: questionOf(messages) };
        await slot.endWith((addDeletion) => recorder.end(outcome, addDeletion));
        tellBudget();
        runs.tokensUsed?.(result.usage);
        if (runs.writesTitles && storedQuestion?.titled) {
          const { participants } = runs;
          const sideStep = startSideStep(
            { ...record, id: runId },
            { database, clock, participants },
          );
          const { titled } = storedQuestion;
          runInBackground(log, () =>
            writeTitle({ ...titled, answer: result.text }, { database, sideStep, model, log }),
          );
        }
        return result;
      } catch (error) {
        await recorder
          .end({
            state: signal.aborted ? 'CANCELLED' : 'FAILED',
            written: unfinished.messages(),
            ...failureOf(error),
          })
          .catch((err: unknown) => log.warn({ err }, 'the end of a run is not recorded'));
        throw error;
      } finally {
        await slot.end();
      }
    };
  } catch (error) {
    await slot.end();
    await question?.discard();
    throw error;
  }
}

/** Checks the access, the model and the quota of a run, before its files are read. */
async function checkRun(input: RunAssistantInput, dependencies: RunDependencies) {
  const { assistantId, person, conversation, temperature } = input;
  const { runs, quotas } = dependencies;
  const runnable = await requireRun({ assistantId, person }, dependencies);
  const assistant = { ...runnable, temperature: temperature ?? runnable.temperature };
  const model = runs.models.choose(assistant.model);
  requireOutputSupport(input, model.name);
  const question = conversation && (await openQuestion({ ...input, conversation }, dependencies));
  const messages = question?.messages ?? input.messages;
  const slot = await quotas.startRun(person.organizationId);
  return { assistant, model, question, messages, slot };
}

/** How many characters the first step reads, for its reservation in budgets. */
const promptCharacters = (
  instructions: string,
  messages: readonly RunMessage[],
  passages: readonly FoundPassage[],
): number =>
  instructions.length +
  JSON.stringify(messages).length +
  passages.reduce((sum, { text }) => sum + text.length, 0);

export const recordOf = (
  { assistantId, person, keyId, conversation }: RunAssistantInput,
  { assistantVersion, model }: Pick<RunRecord, 'assistantVersion' | 'model'>,
): RunRecord => ({
  id: newId(),
  organizationId: person.organizationId,
  userId: person.userId,
  conversationId: conversation?.conversationId ?? null,
  ...{ keyId, assistantId, assistantVersion, model },
});

/** What an error means for the record of a run. */
export const failureOf = (error: unknown): { errorCode: ErrorCode; message: string } =>
  error instanceof AppError
    ? { errorCode: error.code, message: error.message }
    : { errorCode: 'INTERNAL', message: 'The run failed unexpectedly' };
