import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import { loadTools } from './load-tools.ts';
import { createModelRegistry, type ModelRegistry } from './models/model-registry.ts';
import type { ModelCall } from './models/provider-fetch.ts';
import type { RunResult } from './run-result.ts';
import type { Tool } from './tool.ts';

/** The models and tools that all runs of the process share, and the token budget of one run. */
export type RunServices = {
  models: ModelRegistry;
  tools: readonly Tool[];
  tokenBudget: number;
  tokensUsed?: (usage: RunResult['usage']) => void;
};

/** Callbacks that count the calls of providers and their tokens. */
export type RunMetrics = {
  modelCalled: (call: ModelCall) => void;
  tokensUsed: (usage: RunResult['usage']) => void;
};

type RunServiceDependencies = { env: Env; log: Log; metrics: RunMetrics };

declare module '../../access/context.ts' {
  interface Services {
    runs: RunServices;
  }
}

export async function createRunServices({
  env,
  log,
  metrics: { modelCalled, tokensUsed },
}: RunServiceDependencies): Promise<RunServices> {
  return {
    models: createModelRegistry(env, log, modelCalled),
    tools: await loadTools(),
    tokenBudget: env.MODEL_TOKEN_BUDGET,
    tokensUsed,
  };
}
