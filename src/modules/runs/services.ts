import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import type { VaultClient } from '../../vault/client.ts';
import { loadTools } from './load-tools.ts';
import { createModels, type Models } from './models/models.ts';
import type { Tool } from './tool.ts';

/** What runs need of a vault. */
export type RunVault = Pick<VaultClient, 'search' | 'extract'>;

/** What runs need of the process: its models and tools, the knowledge bases, and how much one run may use. */
export type RunServices = { vault: RunVault; models: Models; tools: readonly Tool[]; tokenBudget: number };

declare module '../../graph/context.ts' {
  interface Services {
    runs: RunServices;
  }
}

export async function createRunServices({ env, log, vault }: { env: Env; log: Log; vault: RunVault }): Promise<RunServices> {
  return { vault, models: createModels(env, log), tools: await loadTools(), tokenBudget: env.MODEL_TOKEN_BUDGET };
}
