import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import { loadTools } from './load-tools.ts';
import { createModels, type Models } from './models/models.ts';
import type { ModelCall } from './models/provider-fetch.ts';
import type { RunResult } from './run-result.ts';
import type { Tool } from './tool.ts';

/** What runs need of the process: its models and tools, and how much one run may use. */
export type RunServices = {
  models: Models;
  tools: readonly Tool[];
  tokenBudget: number;
  tokensUsed?: (usage: RunResult['usage']) => void;
};

/** Who counts what runs ask of providers. */
export type RunFigures = {
  modelCalled: (call: ModelCall) => void;
  tokensUsed: (usage: RunResult['usage']) => void;
};

type Parts = { env: Env; log: Log; figures: RunFigures };

declare module '../../graph/context.ts' {
  interface Services {
    runs: RunServices;
  }
}

export async function createRunServices({
  env,
  log,
  figures: { modelCalled, tokensUsed },
}: Parts): Promise<RunServices> {
  return {
    models: createModels(env, log, modelCalled),
    tools: await loadTools(),
    tokenBudget: env.MODEL_TOKEN_BUDGET,
    tokensUsed,
  };
}
