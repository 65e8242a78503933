import type { Upload } from '../../graph/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Person } from '../assistants/access.ts';
import { requireRunnable } from '../assistants/require-assistant.ts';
import type { Quotas } from '../quotas/quotas.ts';
import { requireRunningSponsorship } from '../sponsorship/require-running-sponsorship.ts';
import type { VaultFor } from '../vault/tenant-vault.ts';
import { readSentFiles } from './read-sent-files.ts';
import { runModel } from './run-model.ts';
import type { RunEvent, RunMessage, RunResult } from './run-result.ts';
import { searchKnowledgeBase } from './search-knowledge-base.ts';
import type { RunServices } from './services.ts';

export type RunAssistant = {
  assistantId: string;
  person: Person;
  messages: readonly RunMessage[];
  files: readonly Upload[];
  /** Tokens that the model may write in all steps together. */
  outputTokensMax?: number | undefined;
  /** In place of the assistant's own. */
  temperature?: number | undefined;
};
type Parts = {
  database: Database;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  runs: RunServices;
  vaultFor: VaultFor;
  quotas: Pick<Quotas, 'startRun'>;
};

/**
 * A run that may begin, and counts until it has ended: it must be started. Whoever starts it can
 * listen, and leave before it ends.
 */
export type ReadyRun = (listening?: {
  signal?: AbortSignal;
  emit?: (event: RunEvent) => void;
}) => Promise<RunResult>;

/** An assistant that this person may run now. */
export async function requireRun(
  { assistantId, person }: Pick<RunAssistant, 'assistantId' | 'person'>,
  { database, clock }: Pick<Parts, 'database' | 'clock'>,
) {
  const assistant = await requireRunnable({ assistantId, person }, { database });
  await requireRunningSponsorship({ organizationId: person.organizationId }, { database, clock });
  return assistant;
}

/**
 * Everything that can refuse a run before its model is asked: the right to it, the sponsorship, the
 * files that came along.
 */
export async function prepareRun(
  { assistantId, person, messages, files, outputTokensMax, temperature }: RunAssistant,
  parts: Parts,
): Promise<ReadyRun> {
  const { database, clock, log, runs } = parts;
  const { organizationId } = person;
  const found = await requireRun({ assistantId, person }, { database, clock });
  const assistant = { ...found, temperature: temperature ?? found.temperature };
  const model = runs.models.choose(assistant.model);
  const end = await parts.quotas.startRun(organizationId);
  const vault = parts.vaultFor(person);
  const sent = await readSentFiles(files, { vault, signal: parts.signal }).catch(
    async (error: unknown) => {
      await end();
      throw error;
    },
  );
  const search = (query: string, signal: AbortSignal) =>
    searchKnowledgeBase({ assistantId, organizationId, query, signal }, { vault, database });
  return async ({ signal = parts.signal, emit } = {}) => {
    try {
      const result = await runModel(
        { assistant, messages, sent, model, organizationId, outputTokensMax },
        { tools: runs.tools, tokenBudget: runs.tokenBudget, search, clock, log, signal, emit },
      );
      runs.tokensUsed?.(result.usage);
      return result;
    } finally {
      await end();
    }
  };
}

/** Lets an assistant answer messages. */
export async function runAssistant(asked: RunAssistant, parts: Parts): Promise<RunResult> {
  const run = await prepareRun(asked, parts);
  return run();
}
