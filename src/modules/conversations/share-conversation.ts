import { randomBase62 } from '../../platform/base62.ts';
import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { hashText } from '../../platform/hash.ts';
import { changeRow, changeRows, type Writer } from '../audit/record-change.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationColumns,
  conversationNotFound,
  isOwnedBy,
  requireConversation,
} from './conversation.ts';
import { type ConversationMessage, readPath } from './conversation-message.ts';

/** The address of the page that shows a shared conversation. */
export const sharedConversationLink = (origin: string, token: string): string =>
  `${origin}/conversations/shared/${token}`;

/**
 * Makes a link with which members of the organization can read the conversation as it is now. What
 * is added later is not shown. A new link replaces the one before. Only its hash is stored.
 */
export async function shareConversation(
  { conversationId, ...owner }: ConversationKey,
  writer: Writer,
): Promise<{ conversation: Conversation; token: string }> {
  const { activeMessageId } = await requireConversation(
    { conversationId, ...owner },
    writer.database,
  );
  if (activeMessageId === null)
    throw new AppError('CONFLICT', 'The conversation has no messages yet', 'CONVERSATION_EMPTY');
  const token = randomBase62(32);
  // The token is part of the result of the transaction, so that a repeated request gets the same one.
  return changeRows<Conversation, { conversation: Conversation; token: string }>(
    writer,
    (at) => ({
      rowsMax: 1,
      statement: fragment`
        update conversations c set share_token_hash = ${hashText(token)}, shared_message_id = c.active_message_id, shared_at = ${at}
        where c.id = ${conversationId} and ${isOwnedBy(owner)} returning ${conversationColumns}`,
      entry: {
        action: 'share-conversation',
        targetType: 'Conversation',
        targetId: conversationId,
        changes: {},
      },
    }),
    ([conversation]) => {
      if (!conversation) throw conversationNotFound();
      return { conversation, token };
    },
  );
}

/** Ends the link. Without one nothing changes. */
export async function unshareConversation(
  { conversationId, ...owner }: ConversationKey,
  writer: Writer,
): Promise<Conversation> {
  const conversation = await requireConversation({ conversationId, ...owner }, writer.database);
  if (conversation.sharedAt === null) return conversation;
  return changeRow<Conversation>(writer, 'Conversation', () => ({
    statement: fragment`
      update conversations c set share_token_hash = null, shared_message_id = null, shared_at = null
      where c.id = ${conversationId} and ${isOwnedBy(owner)} returning ${conversationColumns}`,
    entry: {
      action: 'unshare-conversation',
      targetType: 'Conversation',
      targetId: conversationId,
      changes: {},
    },
  }));
}

/** What a member of the organization with the link sees of a conversation. */
export type SharedConversation = {
  id: string;
  assistantId: string;
  title: string | null;
  sharedMessageId: string;
  sharedAt: string;
};

/** Finds the conversation of a link. A link of another organization is NOT_FOUND. */
export async function requireShared(
  { token, organizationId }: { token: string; organizationId: string },
  { sql }: Pick<Database, 'sql'>,
): Promise<SharedConversation> {
  const [shared] = await sql<SharedConversation>`
    select id, assistant_id as "assistantId", title, shared_message_id as "sharedMessageId", shared_at as "sharedAt"
    from conversations where share_token_hash = ${hashText(token)} and organization_id = ${organizationId}
      and shared_message_id is not null and shared_at is not null`;
  if (!shared) throw notFound('Conversation');
  return shared;
}

export const readSharedMessages = (
  { id, sharedMessageId }: Pick<SharedConversation, 'id' | 'sharedMessageId'>,
  database: Pick<Database, 'sql'>,
): Promise<ConversationMessage[]> =>
  readPath({ conversationId: id, messageId: sharedMessageId }, database);
