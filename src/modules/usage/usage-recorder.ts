import type { RunParticipant } from '../runs/run-record.ts';
import { type ModelPrices, stepCost } from './step-cost.ts';

type UsageRecorderDependencies = {
  prices: ModelPrices;
  /** Called when an entry is about to be stored. */
  recorded: () => void;
};

/**
 * Writes a usage entry with each step. The key of an entry is the run and the number of the step,
 * so a step that two processes record is stored once: the transaction of the second one fails.
 */
export const createUsageRecorder = ({
  prices,
  recorded,
}: UsageRecorderDependencies): RunParticipant => ({
  recordStep(tx, run, { number, endedAt, usage }) {
    const { promptTokens, completionTokens, cachedTokens } = usage;
    const cost = stepCost(run.model, usage, prices);
    tx.enqueue`
      insert into usage_entries (run_id, step, organization_id, at, assistant_id, user_id, key_id, model,
        prompt_tokens, completion_tokens, cached_tokens, cost)
      values (${run.id}, ${number}::int, ${run.organizationId}, ${endedAt}, ${run.assistantId}, ${run.userId}, ${run.keyId}, ${run.model},
        ${promptTokens}::int, ${completionTokens}::int, ${cachedTokens}::int, ${cost}::numeric)`;
    recorded();
  },
});
