import { fragment } from '../../platform/database/sql.ts';
import type { RunParticipant, RunRecord } from '../runs/run-record.ts';
import type { StepUsage } from '../runs/run-steps.ts';
import { type RowsStatement, rowsTable } from '../runs/run-writes.ts';
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
  recordStep(writes, run, { number, endedAt, usage, embedding }) {
    const { promptTokens, completionTokens, cachedTokens } = usage;
    writes.add(insertUsage, {
      ...{ id: run.id, number, organizationId: run.organizationId, endedAt },
      ...{ assistantId: run.assistantId, userId: run.userId, keyId: run.keyId, model: run.model },
      ...{ promptTokens, completionTokens, cachedTokens },
      embeddingTokens: embedding?.tokens ?? 0,
      cost: stepCost(run.model, usage, prices, embedding),
    });
    recorded();
  },
});

type UsageRow = Pick<
  RunRecord,
  'id' | 'organizationId' | 'assistantId' | 'userId' | 'keyId' | 'model'
> &
  StepUsage & { number: number; endedAt: Date; embeddingTokens: number; cost: string | null };

const insertUsage: RowsStatement<UsageRow> = (rows) => fragment`
  insert into usage_entries (run_id, step, organization_id, at, assistant_id, user_id, key_id, model,
    prompt_tokens, completion_tokens, cached_tokens, embedding_tokens, cost)
  select id, number, "organizationId", "endedAt", "assistantId", "userId", "keyId", model, "promptTokens", "completionTokens", "cachedTokens", "embeddingTokens", cost
  from ${rowsTable(
    rows,
    fragment`id text, number int, "organizationId" text, "endedAt" timestamptz, "assistantId" text, "userId" text, "keyId" text, model text,
      "promptTokens" int, "completionTokens" int, "cachedTokens" int, "embeddingTokens" int, cost numeric`,
  )}`;
