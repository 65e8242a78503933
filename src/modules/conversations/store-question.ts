import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { requireFileQuota } from '../quotas/file-quota.ts';
import type { Quotas } from '../quotas/quotas.ts';
import type { StoredAttachment } from './attachments.ts';
import { type ConversationOwner, conversationLimits, lockConversation } from './conversation.ts';
import type { PreparedQuestion } from './prepare-question.ts';
import { redactJson, redactText } from './redact.ts';
import { titleOf } from './title.ts';
import { excerptForTitle, type TitledQuestion } from './write-title.ts';

type StoreQuestionInput = {
  owner: ConversationOwner;
  question: PreparedQuestion;
  run: { id: string; model: string };
  attachments: readonly StoredAttachment[];
  /** Stores the run in the same transaction: without it the answer would count as failed. */
  storeRun: StoreRun;
};

export type StoreRun = (tx: Transaction, question: StoredQuestion) => Promise<void> | void;

type StoreDependencies = {
  database: Database;
  clock: Clock;
  quotas: Pick<Quotas, 'limits'>;
};

export type StoredQuestion = {
  questionId: string;
  answerId: string;
  /** The answer that the question follows; null at a beginning. */
  parentId: string | null;
  /** The run that was stored with the question. */
  runId: string;
  /** Set if the conversation got its title from the question: then the model may write a better one. */
  titled: TitledQuestion | null;
};

/**
 * Adds the question and its answer, which the run fills in. Questions that are asked at the same time
 * become branches.
 */
export function storeQuestion(
  { owner, question, run, attachments, storeRun }: StoreQuestionInput,
  { database, clock, quotas: { limits } }: StoreDependencies,
): Promise<StoredQuestion> {
  const { conversation, parentId, redactsContent } = question;
  const parts = redactsContent ? redactJson(question.parts) : question.parts;
  const plainText = question.parts.map(({ text }) => text).join('\n\n');
  const text = storable(redactsContent ? redactText(plainText) : plainText);
  return inTransaction(database, async (tx) => {
    const locked = await lockConversation({ ...owner, conversationId: conversation.id }, tx);
    requireRoom(locked, text);
    const at = clock();
    const { organizationId } = owner;
    const bytes = attachments.reduce((sum, { size }) => sum + size, 0);
    if (attachments.length > 0)
      await requireFileQuota({ organizationId, limits, files: attachments.length, bytes }, tx);
    const [questionId, answerId] = [newId(at.getTime()), newId(at.getTime())];
    const title = locked.title === null ? (titleOf(text) ?? null) : null;
    tx.enqueue`
      insert into conversation_messages (id, conversation_id, organization_id, parent_id, position, role, content, text, state, run_id, model, created_at)
      values
        (${questionId}, ${conversation.id}, ${organizationId}, ${parentId}, ${locked.messageCount + 1}::int, 'USER', ${storableJson(parts)}::jsonb,
          ${text}, 'COMPLETED', ${run.id}, null, ${at}),
        (${answerId}, ${conversation.id}, ${organizationId}, ${questionId}, ${locked.messageCount + 2}::int, 'ASSISTANT', '[]',
          '', 'RUNNING', ${run.id}, ${run.model}, ${at})`;
    for (const { id, originalName, mimeType, size, hash, storageKey } of attachments)
      tx.enqueue`
        insert into conversation_attachments (id, message_id, conversation_id, organization_id, original_name, mime_type, size, hash, storage_key, created_at)
        values (${id}, ${questionId}, ${conversation.id}, ${organizationId}, ${originalName}, ${mimeType}, ${size}::int, ${hash}, ${storageKey}, ${at})`;
    tx.enqueue`
      update conversations set message_count = message_count + 2, characters = characters + ${text.length}::int,
        active_message_id = ${answerId}, title = coalesce(title, ${title}), updated_at = ${at}
      where id = ${conversation.id} and organization_id = ${organizationId}`;
    const titled = title === null ? null : titledQuestion(question, title, organizationId);
    const stored = { questionId, answerId, parentId, runId: run.id, titled };
    await storeRun(tx, stored);
    return stored;
  });
}

/**
 * Lets another run answer a stored question, because the request of its run is repeated. What the
 * earlier run has written of the answer is deleted.
 */
export function answerAgain(
  {
    stored,
    run,
    organizationId,
    storeRun,
  }: Pick<StoreQuestionInput, 'run' | 'storeRun'> & {
    stored: StoredQuestion;
    organizationId: string;
  },
  { database }: Pick<StoreDependencies, 'database'>,
): Promise<void> {
  const { questionId, answerId } = stored;
  return database.transact(async (tx) => {
    // The end of an answer has added its characters.
    tx.enqueue`
      update conversations c set characters = c.characters - length(m.text) - length(m.content::text)
      from conversation_messages m where m.id = ${answerId} and m.organization_id = ${organizationId} and m.state <> 'RUNNING'
        and c.id = m.conversation_id and c.organization_id = m.organization_id`;
    tx.enqueue`
      update conversation_messages set run_id = ${run.id} where id = ${questionId} and organization_id = ${organizationId}`;
    tx.enqueue`
      update conversation_messages set run_id = ${run.id}, model = ${run.model}, state = 'RUNNING', error_code = null, content = '[]', text = '',
        prompt_tokens = null, completion_tokens = null, citations = '{}', citation_details = '[]'
      where id = ${answerId} and organization_id = ${organizationId}`;
    await storeRun(tx, stored);
  });
}

const titledQuestion = (
  { conversation, parts, redactsContent }: PreparedQuestion,
  title: string,
  organizationId: string,
): TitledQuestion => ({
  ...{ conversationId: conversation.id, organizationId, title, redactsContent },
  question: excerptForTitle(parts.map(({ text }) => text).join('\n')),
});

/** Postgres stores no zero byte and no half of a surrogate pair; a message may have both. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The same for a JSON value, as text. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? storable(item) : item));

function requireRoom(
  { messageCount, characters }: { messageCount: number; characters: number },
  text: string,
): void {
  const { messages, characters: charactersMax } = conversationLimits;
  if (messageCount + 2 > messages || characters + text.length > charactersMax)
    throw new AppError(
      'CONFLICT',
      `A conversation has at most ${messages} messages with ${charactersMax} characters. Start a new one`,
      'CONVERSATION_FULL',
    );
}
