import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import { notFound } from '../../platform/errors.ts';
import type { AnswerMessage, CitationDetail, TextPart } from '../runs/run-result.ts';
import { type ConversationOwner, isOwnedBy } from './conversation.ts';

export const conversationRoles = ['USER', 'ASSISTANT'] as const;
export const messageStates = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type MessageState = (typeof messageStates)[number];

/** A question of the person, or the answer of one run. */
export type ConversationMessage = {
  id: string;
  conversationId: string;
  organizationId: string;
  parentId: string | null;
  createdAt: string;
  /** The question, or the text of the answer. */
  text: string;
  state: MessageState;
  runId: string | null;
  model: string | null;
  promptTokens: number | null;
  completionTokens: number | null;
  errorCode: ErrorCode | null;
  citations: string[];
  citationDetails: CitationDetail[];
} & ({ role: 'USER'; content: TextPart[] } | { role: 'ASSISTANT'; content: AnswerMessage[] });

/**
 * The state of `conversation_messages m`. The process of a run may have ended before it stored the
 * end of the answer: then `runs r` knows the state of the run.
 */
export const messageState = fragment`
  case when m.state <> 'RUNNING' or r.state in ('QUEUED', 'RUNNING') then m.state::text
    when r.state = 'CANCELLED' then 'CANCELLED' else 'FAILED' end`;

/** The columns of `conversation_messages m` with its run, if there is one. */
export const messageColumns = fragment`
  m.id, m.conversation_id as "conversationId", m.organization_id as "organizationId", m.parent_id as "parentId",
  m.created_at as "createdAt", m.text, m.role, m.content, m.run_id as "runId", m.model, m.prompt_tokens as "promptTokens",
  m.completion_tokens as "completionTokens", m.citations, m.citation_details as "citationDetails",
  ${messageState} as state,
  case when m.state = 'RUNNING' then r.error_code else m.error_code end as "errorCode"`;

/** `conversation_messages m` with the run of each. */
export const messagesWithRuns = fragment`
  conversation_messages m left join runs r on r.id = m.run_id and r.organization_id = m.organization_id`;

/** The ids from the first message of a branch to this one, in the table `path`. */
export const pathTo = (conversationId: string, messageId: string | null) => fragment`
  recursive path as (
    select id, parent_id from conversation_messages where id = ${messageId} and conversation_id = ${conversationId}
    union all
    select above.id, above.parent_id from path join conversation_messages above on above.id = path.parent_id)`;

/** Reads all messages of a conversation that the caller has access to, in the order of their adding. */
export const readAllMessages = (
  { conversationId }: { conversationId: string },
  { sql }: Pick<Database, 'sql'>,
): Promise<ConversationMessage[]> => sql<ConversationMessage>`
  select ${messageColumns} from ${messagesWithRuns} where m.conversation_id = ${conversationId} order by m.position`;

/** Reads the messages from the first of a branch to this one. */
export const readPath = (
  { conversationId, messageId }: { conversationId: string; messageId: string | null },
  { sql }: Pick<Database, 'sql'>,
): Promise<ConversationMessage[]> => sql<ConversationMessage>`
  with ${pathTo(conversationId, messageId)}
  select ${messageColumns} from ${messagesWithRuns} where m.conversation_id = ${conversationId} and m.id in (select id from path)
  order by m.position`;

/** Finds a message in a conversation of this person. Any other one is NOT_FOUND. */
export async function requireMessage(
  { messageId, ...owner }: ConversationOwner & { messageId: string },
  { sql }: Pick<Database, 'sql'>,
): Promise<ConversationMessage> {
  const [message] = await sql<ConversationMessage>`
    select ${messageColumns} from ${messagesWithRuns} join conversations c on c.id = m.conversation_id
    where m.id = ${messageId} and m.organization_id = ${owner.organizationId} and ${isOwnedBy(owner)}`;
  if (!message) throw notFound('Message');
  return message;
}

/** The newest message below this one, following the branch that was added last. */
export async function findLeaf(
  { conversationId, messageId }: { conversationId: string; messageId: string },
  { sql }: Pick<Database, 'sql'>,
): Promise<string> {
  const rows = await sql<{ id: string; parentId: string | null }>`
    select id, parent_id as "parentId" from conversation_messages where conversation_id = ${conversationId} order by position`;
  const newestChild = new Map(rows.map(({ id, parentId }) => [parentId, id]));
  if (!rows.some(({ id }) => id === messageId)) throw notFound('Message');
  let leaf = messageId;
  for (let next = newestChild.get(leaf); next !== undefined; next = newestChild.get(leaf))
    leaf = next;
  return leaf;
}
