import type { Database } from '../../platform/database/database.ts';
import { accessOf, type Person } from '../assistants/access.ts';
import type { ConversationOwner } from '../conversations/conversation.ts';
import {
  type Feedback,
  feedbackColumns,
  type ReceivedFeedback,
  receivedColumns,
} from './feedback.ts';

/** What the person says about these answers, in their order; null without feedback. */
export async function readOwnFeedback(
  { messageIds, organizationId, userId }: ConversationOwner & { messageIds: readonly string[] },
  { sql }: Pick<Database, 'sql'>,
): Promise<(Feedback | null)[]> {
  const rows = await sql<Feedback & { messageId: string }>`
    select ${feedbackColumns}, f.message_id as "messageId" from answer_feedback f
    where f.message_id = any(${messageIds}) and f.organization_id = ${organizationId} and f.user_id = ${userId}`;
  const byMessage = new Map(rows.map((feedback) => [feedback.messageId, feedback]));
  return messageIds.map((id) => byMessage.get(id) ?? null);
}

/**
 * Reads feedback on assistants that the person may change, in the order of the ids; null for any
 * other.
 */
export async function readReceivedFeedback(
  { ids, person }: { ids: readonly string[]; person: Person },
  { sql }: Pick<Database, 'sql'>,
): Promise<(ReceivedFeedback | null)[]> {
  const rows = await sql<ReceivedFeedback>`
    select ${receivedColumns} from answer_feedback f
    join (${accessOf(person)}) g on g.assistant_id = f.assistant_id and g.level in ('EDIT', 'OWNER')
    where f.id = any(${ids}) and f.organization_id = ${person.organizationId}`;
  const found = new Map(rows.map((feedback) => [feedback.id, feedback]));
  return ids.map((id) => found.get(id) ?? null);
}
