import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { change, type Writer } from '../audit/record-change.ts';
import {
  type ConversationKey,
  type ConversationOwner,
  conversationNotFound,
} from './conversation.ts';

/** What was deleted. The record of a deletion has these numbers and nothing of the content. */
export type DeletedConversations = { conversations: number; messages: number; attachments: number };

type DeletionDependencies = { writer: Writer; files: { wake: () => void } };

/** Deletes a conversation of the person with its messages and attachments. */
export async function deleteConversation(
  { conversationId, ...owner }: ConversationKey,
  dependencies: DeletionDependencies,
): Promise<void> {
  await deleteOwn(owner, dependencies, {
    condition: fragment`and c.id = ${conversationId}`,
    action: 'delete-conversation',
    target: { targetType: 'Conversation', targetId: conversationId },
    check: ({ conversations }) => {
      if (conversations === 0) throw conversationNotFound();
    },
  });
}

/** Deletes all conversations of the person in the organization. */
export function eraseConversations(
  owner: ConversationOwner,
  dependencies: DeletionDependencies,
): Promise<DeletedConversations> {
  return deleteOwn(owner, dependencies, {
    condition: fragment``,
    action: 'erase-conversations',
    target: { targetType: 'User', targetId: owner.userId },
  });
}

type Deletion = {
  condition: Fragment;
  action: string;
  target: { targetType: string; targetId: string };
  check?: (deleted: DeletedConversations) => void;
};

async function deleteOwn(
  { organizationId, userId }: ConversationOwner,
  { writer, files }: DeletionDependencies,
  { condition, action, target, check }: Deletion,
): Promise<DeletedConversations> {
  const deleted = await change(writer, async (tx, record) => {
    const counts = await deleteWhere(
      fragment`c.organization_id = ${organizationId} and c.user_id = ${userId} ${condition}`,
      tx,
    );
    check?.(counts);
    record({ action, ...target, changes: counts });
    return counts;
  });
  // The file processor removes the attachments from the storage.
  files.wake();
  return deleted;
}

/**
 * Deletes the conversations `c` that match, and counts what belonged to them. The records of their
 * runs stay; triggers delete their content and remove the attachments.
 */
export async function deleteWhere(
  condition: Fragment,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<DeletedConversations> {
  const [counts] = await sql<DeletedConversations>`
    with doomed as (select c.id, c.message_count from conversations c where ${condition} for update),
      attached as (select count(*)::int as count from conversation_attachments a where a.conversation_id in (select id from doomed)),
      deleted as (delete from conversations c using doomed where c.id = doomed.id)
    select (select count(*)::int from doomed) as conversations, (select coalesce(sum(message_count), 0)::int from doomed) as messages,
      (select count from attached) as attachments`;
  return counts ?? { conversations: 0, messages: 0, attachments: 0 };
}
