import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';

/** The person whose conversations are meant. Nobody else finds them. */
export type ConversationOwner = { organizationId: string; userId: string };
export type ConversationKey = ConversationOwner & { conversationId: string };

/** A conversation of a person with an assistant. */
export type Conversation = {
  id: string;
  assistantId: string;
  /** Null until the first question, if the person gave none. */
  title: string | null;
  isPinned: boolean;
  activeMessageId: string | null;
  messageCount: number;
  sharedAt: string | null;
  createdAt: string;
  /** When a question was last asked. */
  updatedAt: string;
};

/** Limits of one conversation. They bound the time and the memory of reading it as a whole. */
export const conversationLimits = {
  messages: 1_000,
  characters: 4_000_000,
  titleCharacters: 200,
} as const;

/** The columns of `conversations c`. */
export const conversationColumns = fragment`
  c.id, c.assistant_id as "assistantId", c.title, c.is_pinned as "isPinned", c.active_message_id as "activeMessageId",
  c.message_count as "messageCount", c.shared_at as "sharedAt", c.created_at as "createdAt", c.updated_at as "updatedAt"`;

/** The condition that `conversations c` belongs to this person. */
export const isOwnedBy = ({ organizationId, userId }: ConversationOwner) =>
  fragment`c.organization_id = ${organizationId} and c.user_id = ${userId}`;

/** Finds a conversation of this person. Any other one is NOT_FOUND. */
export async function requireConversation(
  { conversationId, ...owner }: ConversationKey,
  { sql }: Pick<Database, 'sql'>,
): Promise<Conversation> {
  const [conversation] = await sql<Conversation>`
    select ${conversationColumns} from conversations c where c.id = ${conversationId} and ${isOwnedBy(owner)}`;
  if (!conversation) throw conversationNotFound();
  return conversation;
}

/** The same, and locks the conversation until the transaction ends. */
export async function lockConversation(
  { conversationId, ...owner }: ConversationKey,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<Conversation & { characters: number }> {
  const [conversation] = await sql<Conversation & { characters: number }>`
    select ${conversationColumns}, c.characters from conversations c
    where c.id = ${conversationId} and ${isOwnedBy(owner)} for update`;
  if (!conversation) throw conversationNotFound();
  return conversation;
}

export const conversationNotFound = () => notFound('Conversation');

/** Reads conversations of this person, in the order of the ids; null for any other. */
export async function readConversations(
  { ids, ...owner }: ConversationOwner & { ids: readonly string[] },
  { sql }: Pick<Database, 'sql'>,
): Promise<(Conversation | null)[]> {
  const rows = await sql<Conversation>`
    select ${conversationColumns} from conversations c where c.id = any(${ids}) and ${isOwnedBy(owner)}`;
  const found = new Map(rows.map((conversation) => [conversation.id, conversation]));
  return ids.map((id) => found.get(id) ?? null);
}
