import type { Database } from '../../platform/database/database.ts';
import type { Conversation } from './conversation.ts';
import {
  type ConversationMessage,
  findLeaf,
  readAllMessages,
  readPath,
} from './conversation-message.ts';

type ReadMessagesInput = {
  conversation: Pick<Conversation, 'id' | 'activeMessageId'>;
  scope: 'PATH' | 'ALL';
  /** A message of the branch; without one the active branch. */
  messageId?: string | null | undefined;
};

/** Reads the messages of a conversation that the caller has access to. */
export async function readMessages(
  { conversation: { id: conversationId, activeMessageId }, scope, messageId }: ReadMessagesInput,
  database: Pick<Database, 'sql'>,
): Promise<ConversationMessage[]> {
  if (scope === 'ALL') return readAllMessages({ conversationId }, database);
  if (messageId == null) return readPath({ conversationId, messageId: activeMessageId }, database);
  const leaf = await findLeaf({ conversationId, messageId }, database);
  return readPath({ conversationId, messageId: leaf }, database);
}
