import { type Fragment, fragment } from '../../platform/database/sql.ts';
import type { RunOutcome, RunParticipant, RunRecord } from '../runs/run-record.ts';
import type { AnswerMessage } from '../runs/run-result.ts';
import type { RunWrites } from '../runs/run-writes.ts';
import { redactJson, redactText } from './redact.ts';
import { storable, storableJson } from './store-question.ts';

/**
 * Stores the answer of a run with its conversation, in the transactions that record the run. The
 * process that ends a run may be another than the one that started it, so the rows are found by the
 * run. Without a row, because the conversation was deleted meanwhile, nothing is stored.
 */
export const conversationParticipant: RunParticipant = {
  recordStep(writes, run, { messages, requestsTools }) {
    // The end of the run stores its last step.
    if (run.conversationId === null || !requestsTools) return;
    writes.enqueue`
      update conversation_messages m set content = m.content || ${jsonFor(messages)}, text = ${textFor(textOf(messages))}
      from organizations o where o.id = m.organization_id and ${isAnswerOf(run)}`;
  },
  locksSharedRows: ({ conversationId }) => conversationId !== null,
  recordEnd(writes, run, outcome) {
    if (run.conversationId === null) return;
    if (outcome.state === 'COMPLETED') storeResult(writes, run, outcome);
    else storeFailure(writes, run, outcome);
    writes.enqueue`
      update conversations c set active_message_id = m.id, characters = c.characters + length(m.text) + length(m.content::text)
      from conversation_messages m where c.id = m.conversation_id and c.organization_id = m.organization_id and ${isAnswerOf(run)}`;
  },
};

function storeResult(
  writes: RunWrites,
  run: RunRecord,
  { result }: Extract<RunOutcome, { state: 'COMPLETED' }>,
): void {
  const { messages, model, usage, citations, citationDetails } = result;
  writes.enqueue`
    update conversation_messages m set state = 'COMPLETED', content = ${jsonFor(messages)}, text = ${textFor(result.text)}, model = ${model},
      prompt_tokens = ${usage.promptTokens}::int, completion_tokens = ${usage.completionTokens}::int, citations = ${citations},
      citation_details = ${jsonFor(citationDetails)}
    from organizations o where o.id = m.organization_id and ${isAnswerOf(run)}`;
}

/** What the run had written before it failed is kept. */
function storeFailure(
  writes: RunWrites,
  run: RunRecord,
  { state, errorCode, written = [] }: Exclude<RunOutcome, { state: 'COMPLETED' }>,
): void {
  writes.enqueue`
    update conversation_messages m set state = ${state === 'CANCELLED' ? state : 'FAILED'}::conversation_message_state, error_code = ${errorCode},
      content = m.content || ${jsonFor(written)}, text = case when ${textOf(written) === ''} then m.text else ${textFor(textOf(written))} end
    from organizations o where o.id = m.organization_id and ${isAnswerOf(run)}`;
}

const textOf = (messages: readonly AnswerMessage[]): string =>
  messages
    .flatMap(({ role, content }) => (role === 'assistant' ? content : []))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');

const isAnswerOf = ({ id, organizationId }: RunRecord): Fragment =>
  fragment`m.run_id = ${id} and m.organization_id = ${organizationId} and m.role = 'ASSISTANT'`;

/** The organization decides when the answer is stored, so the statement has both forms. */
const jsonFor = (value: unknown): Fragment =>
  fragment`case when o.redacts_content then ${storableJson(redactJson(value))}::jsonb else ${storableJson(value)}::jsonb end`;

const textFor = (text: string): Fragment =>
  fragment`case when o.redacts_content then ${storable(redactText(text))} else ${storable(text)} end`;
