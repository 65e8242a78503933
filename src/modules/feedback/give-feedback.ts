import { randomUUID } from 'node:crypto';
import type { FeedbackMark, FeedbackReason } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { AppError, inputError, notFound } from '../../platform/errors.ts';
import { change, type RecordChanges, type Writer } from '../audit/record-change.ts';
import { type ConversationOwner, isOwnedBy } from '../conversations/conversation.ts';
import {
  type MessageState,
  messageState,
  messagesWithRuns,
} from '../conversations/conversation-message.ts';
import { redactText } from '../conversations/redact.ts';
import { notificationStatement } from '../notifications/notify.ts';
import { readRetentionSettings } from '../organizations/retention-settings.ts';

type GiveFeedbackInput = {
  messageId: string;
  owner: ConversationOwner;
  mark: FeedbackMark;
  reason?: FeedbackReason | null | undefined;
  comment?: string | null | undefined;
  /** Whether those who may change the assistant get the question, the answer and the name. */
  sharesContent: boolean;
};

type StoredAnswer = { text: string; state: MessageState; question: string; wasShared: boolean };
type MarkedAnswer = StoredAnswer & { conversationId: string; assistantId: string };

/**
 * Stores what the person says about an answer of their conversation, in place of what they said
 * before. The audit log records only that a question and an answer were shared: with an entry for
 * all feedback, an administrator could tell who gave it.
 */
export function giveFeedback(
  { messageId, owner, mark, reason = null, comment, sharesContent }: GiveFeedbackInput,
  writer: Writer,
): Promise<void> {
  if (reason !== null && mark === 'GOOD')
    throw inputError('reason', 'INVALID', 'Only an answer with the mark BAD has a reason');
  const { organizationId, userId } = owner;
  return change(writer, async (tx, record, at) => {
    const answer = await lockAnswer({ messageId, owner }, tx);
    const { redactsContent } = await readRetentionSettings({ organizationId }, tx);
    const storedComment = redactsContent ? redactText(comment ?? '') : (comment ?? '');
    const { conversationId, assistantId } = answer;
    const [question, text] = sharesContent ? [answer.question, answer.text] : [null, null];
    const givenOn = new Date(new Date(at).setUTCHours(0, 0, 0, 0));
    tx.enqueue`
      insert into answer_feedback (id, organization_id, conversation_id, message_id, user_id, assistant_id, mark, reason, comment,
        shared_question, shared_answer, given_on)
      values (${randomUUID()}, ${organizationId}, ${conversationId}, ${messageId}, ${userId}, ${assistantId}, ${mark}::feedback_mark,
        ${reason}::feedback_reason, ${storedComment}, ${question}, ${text}, ${givenOn}::timestamptz)
      on conflict (message_id, user_id) do update set mark = excluded.mark, reason = excluded.reason, comment = excluded.comment,
        shared_question = excluded.shared_question, shared_answer = excluded.shared_answer, given_on = excluded.given_on`;
    recordSharing({ conversationId, wasShared: answer.wasShared, isShared: sharesContent }, record);
    // Without the answer and the name, a notification would tell when somebody gave feedback.
    if (sharesContent && !answer.wasShared)
      tx.enqueue`${notificationStatement({ kind: 'FEEDBACK_SHARED', recipients: otherOwners({ messageId, owner, assistantId }), at })}`;
  });
}

type SharedAnswer = Pick<GiveFeedbackInput, 'messageId' | 'owner'> & { assistantId: string };

/** The people who own the assistant, except the one who gives the feedback. */
const otherOwners = ({ messageId, owner, assistantId }: SharedAnswer): Fragment => fragment`
  select s.organization_id, s.user_id, f.id as subject_id, s.assistant_id, null::text as conversation_id
  from assistant_shares s join answer_feedback f on f.message_id = ${messageId} and f.user_id = ${owner.userId}
  where s.assistant_id = ${assistantId} and s.organization_id = ${owner.organizationId}
    and s.level = 'OWNER' and s.user_id <> ${owner.userId}`;

/** Takes feedback back. Without any, nothing changes. */
export function removeFeedback(
  { messageId, owner }: Pick<GiveFeedbackInput, 'messageId' | 'owner'>,
  writer: Writer,
): Promise<void> {
  return change(writer, async (tx, record) => {
    const { conversationId, wasShared } = await lockAnswer({ messageId, owner }, tx);
    tx.enqueue`
      delete from answer_feedback
      where message_id = ${messageId} and organization_id = ${owner.organizationId} and user_id = ${owner.userId}`;
    recordSharing({ conversationId, wasShared, isShared: false }, record);
  });
}

type Sharing = { conversationId: string; wasShared: boolean; isShared: boolean };

function recordSharing(
  { conversationId, wasShared, isShared }: Sharing,
  record: RecordChanges,
): void {
  if (wasShared === isShared) return;
  const entry = { targetType: 'Conversation', targetId: conversationId, changes: {} };
  record(isShared ? { action: 'share-answer', ...entry } : { action: 'unshare-answer', ...entry });
}

/**
 * Finds an answer in a conversation of the person, with its question. It locks the conversation, so
 * that a deletion at the same time waits for the feedback and then deletes it as well.
 */
async function lockAnswer(
  { messageId, owner }: Pick<GiveFeedbackInput, 'messageId' | 'owner'>,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<MarkedAnswer> {
  const { organizationId, userId } = owner;
  const [conversation] = await sql<{ id: string; assistantId: string }>`
    select c.id, c.assistant_id as "assistantId" from conversations c
    where ${isOwnedBy(owner)} and c.id = (
      select conversation_id from conversation_messages where id = ${messageId} and organization_id = ${organizationId})
    for update`;
  if (!conversation) throw notFound('Answer');
  const [answer] = await sql<StoredAnswer>`
    select m.text, ${messageState} as state, coalesce(q.text, '') as question, exists (
      select from answer_feedback f where f.message_id = m.id and f.user_id = ${userId} and f.shared_answer is not null) as "wasShared"
    from ${messagesWithRuns} left join conversation_messages q on q.id = m.parent_id and q.organization_id = m.organization_id
    where m.id = ${messageId} and m.organization_id = ${organizationId} and m.role = 'ASSISTANT'`;
  if (!answer) throw notFound('Answer');
  if (answer.state === 'RUNNING')
    throw new AppError(
      'CONFLICT',
      'The answer is still being written. Try again when it is complete',
      'ANSWER_NOT_COMPLETE',
    );
  return { ...answer, conversationId: conversation.id, assistantId: conversation.assistantId };
}
