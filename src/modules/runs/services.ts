import type { Database } from '../../platform/database/database.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import { type CheckInTurn, createCheckInTurn } from './check-in-turn.ts';
import { loadTools } from './load-tools.ts';
import { createModelRegistry, type ModelRegistry } from './models/model-registry.ts';
import type { ModelCall } from './models/provider-fetch.ts';
import { createOutputChecker, type OutputChecker } from './output/check-output.ts';
import { receiptParticipant } from './receipts/receipt-participant.ts';
import { createRunHeartbeats, type RunHeartbeats } from './run-heartbeats.ts';
import type { RunParticipant } from './run-record.ts';
import type { RunResult } from './run-result.ts';
import { type CommitShared, createSharedCommits } from './shared-commits.ts';
import type { Tool } from './tool.ts';

/** The models and tools that all runs of the process share, and the token budget of one run. */
export type RunServices = {
  models: ModelRegistry;
  tools: readonly Tool[];
  tokenBudget: number;
  /** The hours for which the content of a durable run is kept after its end. */
  contentHours: number;
  checkInTurn: CheckInTurn;
  heartbeats: RunHeartbeats;
  /** Absent in a dry run, which rolls back its own transactions. */
  commitShared?: CommitShared | undefined;
  /** Checks structured answers; null in a dry run, whose answer is a fixed text. */
  outputs: OutputChecker | null;
  /** The parts of the product that follow every run. */
  participants: readonly RunParticipant[];
  /** Whether models write the titles of conversations. */
  writesTitles: boolean;
  tokensUsed?: (usage: RunResult['usage']) => void;
};

/** Callbacks that count the calls of providers and their tokens. */
export type RunMetrics = {
  modelCalled: (call: ModelCall) => void;
  tokensUsed: (usage: RunResult['usage']) => void;
};

type RunServiceDependencies = {
  env: Env;
  database: Database;
  log: Log;
  metrics: RunMetrics;
  participants: readonly RunParticipant[];
  isPaced: (organizationId: string) => boolean;
};

declare module '../../access/context.ts' {
  interface Services {
    runs: RunServices;
  }
}

export async function createRunServices({
  env,
  database,
  log,
  participants,
  isPaced,
  metrics: { modelCalled, tokensUsed },
}: RunServiceDependencies): Promise<RunServices> {
  const heartbeats = createRunHeartbeats({ database, log });
  return {
    models: createModelRegistry(env, log, { onCall: modelCalled, isPaced }),
    tools: await loadTools(),
    tokenBudget: env.MODEL_TOKEN_BUDGET,
    contentHours: env.RUN_CONTENT_HOURS,
    checkInTurn: createCheckInTurn(),
    heartbeats,
    commitShared: createSharedCommits({ database, inProgress: () => heartbeats.active }),
    outputs: createOutputChecker(log),
    participants: [receiptParticipant, ...participants],
    writesTitles: true,
    tokensUsed,
  };
}
