import type { Database } from '../../platform/database/database.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import type { RunParticipant } from '../runs/run-record.ts';
import type { ModelPrices } from './step-cost.ts';
import { createUsageKeeper, type UsageKeeper } from './usage-keeper.ts';
import { createUsageRecorder } from './usage-recorder.ts';

export type UsageServices = {
  prices: ModelPrices;
  keeper: UsageKeeper;
  recorder: RunParticipant;
};

declare module '../../access/context.ts' {
  interface Services {
    usage: UsageServices;
  }
}

type UsageDependencies = { env: Pick<Env, 'MODEL_PRICES'>; database: Database; log: Log };

/** What records the usage of runs, and keeps its totals. */
export function createUsageServices({ env, database, log }: UsageDependencies): UsageServices {
  const prices = env.MODEL_PRICES;
  const keeper = createUsageKeeper({ database: database.unscoped, log });
  return { prices, keeper, recorder: createUsageRecorder({ prices, recorded: keeper.changed }) };
}
