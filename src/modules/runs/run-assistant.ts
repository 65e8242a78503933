import type { Upload } from '../../http/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Person } from '../assistants/access.ts';
import { requireRunnable } from '../assistants/require-assistant.ts';
import type { Quotas } from '../quotas/quotas.ts';
import { requireRunningSponsorship } from '../sponsorship/redeeming/require-running-sponsorship.ts';
import type { VaultFor } from '../vault/tenant-vault.ts';
import { readSentFiles } from './read-sent-files.ts';
import { runModel } from './run-model.ts';
import type { RunEvent, RunMessage, RunResult } from './run-result.ts';
import { searchKnowledgeBase } from './search-knowledge-base.ts';
import type { RunServices } from './services.ts';

export type RunAssistantInput = {
  assistantId: string;
  person: Person;
  messages: readonly RunMessage[];
  files: readonly Upload[];
  /** The maximum number of tokens that the model may write in all steps together. */
  outputTokensMax?: number | undefined;
  /** Overrides the temperature of the assistant. */
  temperature?: number | undefined;
};
type RunDependencies = {
  database: Database;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  runs: RunServices;
  vaultFor: VaultFor;
  quotas: Pick<Quotas, 'startRun'>;
};

/**
 * A run that has been admitted and occupies a slot of the quota until it ends, so the caller must
 * start it. The caller can receive events and can cancel the run with a signal.
 */
export type ReadyRun = (listener?: {
  signal?: AbortSignal;
  emit?: (event: RunEvent) => void;
}) => Promise<RunResult>;

/**
 * Finds an assistant that this person may run now: they have access and the organization's
 * sponsorship is running.
 */
export async function requireRun(
  { assistantId, person }: Pick<RunAssistantInput, 'assistantId' | 'person'>,
  { database, clock }: Pick<RunDependencies, 'database' | 'clock'>,
) {
  const assistant = await requireRunnable({ assistantId, person }, { database });
  await requireRunningSponsorship({ organizationId: person.organizationId }, { database, clock });
  return assistant;
}

/**
 * Does everything that can refuse a run before the model is called: it checks the access and the
 * sponsorship, reserves a slot of the quota, and reads the sent files.
 */
export async function prepareRun(
  { assistantId, person, messages, files, outputTokensMax, temperature }: RunAssistantInput,
  dependencies: RunDependencies,
): Promise<ReadyRun> {
  const { database, clock, log, runs } = dependencies;
  const { organizationId } = person;
  const runnable = await requireRun({ assistantId, person }, { database, clock });
  const assistant = { ...runnable, temperature: temperature ?? runnable.temperature };
  const model = runs.models.choose(assistant.model);
  const endRun = await dependencies.quotas.startRun(organizationId);
  const vault = dependencies.vaultFor(person);
  const sentPassages = await readSentFiles(files, { vault, signal: dependencies.signal }).catch(
    async (error: unknown) => {
      await endRun();
      throw error;
    },
  );
  const search = (query: string, signal: AbortSignal) =>
    searchKnowledgeBase({ assistantId, organizationId, query, signal }, { vault, database });
  return async ({ signal = dependencies.signal, emit } = {}) => {
    try {
      const result = await runModel(
        { assistant, messages, sentPassages, model, organizationId, outputTokensMax },
        { tools: runs.tools, tokenBudget: runs.tokenBudget, search, clock, log, signal, emit },
      );
      runs.tokensUsed?.(result.usage);
      return result;
    } finally {
      await endRun();
    }
  };
}

/** Runs an assistant and returns its complete answer. */
export async function runAssistant(
  input: RunAssistantInput,
  dependencies: RunDependencies,
): Promise<RunResult> {
  const run = await prepareRun(input, dependencies);
  return run();
}
