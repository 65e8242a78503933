import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FileOutcome } from './modules/assistant-files/processing/process-file.ts';
import {
  type FileQueueStatus,
  readQueueStatus,
} from './modules/assistant-files/read-queue-status.ts';
import type { ModelCall } from './modules/runs/models/provider-fetch.ts';
import type { Database } from './platform/database/database.ts';
import { timeLimit } from './platform/database/time-limit.ts';
import { version } from './platform/version.ts';

// A scrape must not wait for an unreachable database.
const queueTimeoutMs = 2_000;

/**
 * Metrics of the API besides its requests. Numbers that the database holds are read at scrape time.
 */
export function createDomainMetrics({
  registry,
  database,
}: {
  registry: Registry;
  database: Database;
}) {
  const registers = [registry];
  new Gauge({
    name: 'atrium_info',
    help: 'The version that runs; always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);

  new Gauge({
    name: 'atrium_database_connections',
    help: 'Connections of this process to the database, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle, waiting } = database.connections();
      this.set({ state: 'busy' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  // The metrics of one scrape share one query. While the database cannot be reached the values are
  // NaN, not 0.
  let pendingRead: Promise<FileQueueStatus | undefined> | undefined;
  const queue = () => {
    pendingRead ??= timeLimit(
      readQueueStatus({ database }),
      queueTimeoutMs,
      'The queue was not read in time',
    )
      .catch(() => undefined)
      .finally(() => {
        pendingRead = undefined;
      });
    return pendingRead;
  };
  new Gauge({
    name: 'atrium_database_up',
    help: 'Whether the database answers.',
    registers,
    async collect() {
      this.set((await queue()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'atrium_files_oldest_seconds',
    help: 'Age of the oldest file that waits or is processed.',
    registers,
    async collect() {
      this.set((await queue())?.oldestSeconds ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'atrium_files_unfinished',
    help: 'Files that wait or are processed, of all processes together.',
    labelNames: ['status'],
    registers,
    async collect() {
      const counts = await queue();
      this.set({ status: 'PENDING' }, counts?.pending ?? Number.NaN);
      this.set({ status: 'PROCESSING' }, counts?.processing ?? Number.NaN);
    },
  });

  const processed = new Counter({
    name: 'atrium_files_processed_total',
    help: 'Files that this process has handed to the vault, by what came of it.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const modelCalls = new Histogram({
    name: 'atrium_model_call_duration_seconds',
    help: 'Calls of model providers until their answer began or failed, each try for itself.',
    labelNames: ['provider', 'outcome'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const tokens = new Counter({
    name: 'atrium_model_tokens_total',
    help: 'Tokens of the runs that ended, as their providers tell them.',
    labelNames: ['kind'] as const,
    registers,
  });
  for (const kind of ['prompt', 'completion']) tokens.inc({ kind }, 0);
  for (const outcome of ['completed', 'failed', 'postponed'] satisfies FileOutcome[])
    processed.inc({ outcome }, 0);

  return {
    fileProcessed: (outcome: FileOutcome) => processed.inc({ outcome }),
    modelCalled: ({ provider, outcome, seconds }: ModelCall) =>
      modelCalls.observe({ provider, outcome }, seconds),
    tokensUsed: ({
      promptTokens,
      completionTokens,
    }: {
      promptTokens: number;
      completionTokens: number;
    }) => {
      tokens.inc({ kind: 'prompt' }, promptTokens);
      tokens.inc({ kind: 'completion' }, completionTokens);
    },
  };
}
