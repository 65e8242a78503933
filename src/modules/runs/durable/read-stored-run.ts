import type { FinishReason } from 'ai';
import type { Database } from '../../../platform/database/database.ts';
import { type FoundPassage, type NumberedPassage, Passages } from '../passages.ts';
import type { AnswerMessage } from '../run-result.ts';
import type { ResumedSteps } from '../run-steps.ts';
import type { ClaimedRun } from './claim-run.ts';
import type { ToolResult } from './idempotent-tools.ts';
import type { StoredRequest } from './start-run.ts';

/** Everything that is needed to execute a run, or to continue it after its last finished step. */
export type StoredRunContent = {
  request: StoredRequest;
  sentPassages: FoundPassage[];
  resumed: ResumedSteps;
  toolResults: Map<string, ToolResult>;
  lastSequence: number;
  /** How often the next step has begun already. */
  attemptsBefore: number;
};

type ContentRow = {
  request: string;
  sentPassages: string;
  fence: string;
  lastSequence: number;
  attemptsBefore: number;
};
type StepRow = {
  messages: string;
  requestsTools: boolean;
  finishReason: FinishReason;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
};
type ToolRow = { token: string; output: string; isError: boolean; passages: string };

/** Reads the content of a claimed run; undefined if the run was deleted meanwhile. */
export async function readStoredRun(
  { id, organizationId }: Pick<ClaimedRun, 'id' | 'organizationId'>,
  { database: { sql } }: { database: Database },
): Promise<StoredRunContent | undefined> {
  const [content] = await sql<ContentRow>`
    select c.request, c.sent_passages as "sentPassages", c.fence,
      (select coalesce(max(e.sequence), 0) from run_events e where e.run_id = c.run_id) as "lastSequence",
      (select count(*)::int from run_events e
        where e.run_id = c.run_id and e.data like '{"type":"step","number":'
          || (select count(*) + 1 from run_step_contents s where s.run_id = c.run_id) || ',%') as "attemptsBefore"
    from run_contents c where c.run_id = ${id} and c.organization_id = ${organizationId}`;
  if (!content) return undefined;
  const steps = await sql<StepRow>`
    select c.messages, c.requests_tools as "requestsTools", c.finish_reason as "finishReason", s.prompt_tokens as "promptTokens", s.completion_tokens as "completionTokens",
      s.cached_tokens as "cachedTokens"
    from run_step_contents c join run_steps s on s.run_id = c.run_id and s.number = c.number
    where c.run_id = ${id} and c.organization_id = ${organizationId} order by c.number`;
  const tools = await sql<ToolRow>`
    select token, output, is_error as "isError", passages from run_tool_results
    where run_id = ${id} and organization_id = ${organizationId}`;
  const sentPassages: FoundPassage[] = JSON.parse(content.sentPassages);
  const toolResults = new Map(
    tools.map(({ token, output, isError, passages }): [string, ToolResult] => [
      token,
      { output: JSON.parse(output), isError, passages: JSON.parse(passages) },
    ]),
  );
  return {
    request: JSON.parse(content.request),
    sentPassages,
    resumed: {
      passages: passagesOf(sentPassages, toolResults.values()),
      fence: content.fence,
      steps: steps.map(({ messages, requestsTools, finishReason, ...usage }) => {
        const parsed: AnswerMessage[] = JSON.parse(messages);
        return { messages: parsed, requestsTools, finishReason, usage };
      }),
    },
    toolResults,
    lastSequence: content.lastSequence,
    attemptsBefore: content.attemptsBefore,
  };
}

/** The passages of sent files have the first numbers; each call has kept those that it has shown. */
function passagesOf(sent: readonly FoundPassage[], results: Iterable<ToolResult>): Passages {
  const passages = new Passages();
  for (const passage of sent) passages.add(passage);
  const shown: NumberedPassage[] = [...results].flatMap((result) => result.passages);
  for (const passage of shown) passages.restore(passage);
  return passages;
}
