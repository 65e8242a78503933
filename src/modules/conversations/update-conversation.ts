import type { Database } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationColumns,
  conversationNotFound,
  isOwnedBy,
} from './conversation.ts';

type ConversationChanges = {
  title?: string | null | undefined;
  isPinned?: boolean | null | undefined;
};

/** Renames or pins a conversation. The order of the list stays, because no message is added. */
export async function updateConversation(
  { conversationId, title, isPinned, ...owner }: ConversationKey & ConversationChanges,
  { database }: { database: Database },
): Promise<Conversation> {
  return inTransaction(database, async (tx) => {
    const [conversation] = await tx.commitWith<Conversation>`
      update conversations c set title = coalesce(${title ?? null}, c.title), is_pinned = coalesce(${isPinned ?? null}::boolean, c.is_pinned)
      where c.id = ${conversationId} and ${isOwnedBy(owner)} returning ${conversationColumns}`;
    if (!conversation) throw conversationNotFound();
    return conversation;
  });
}
