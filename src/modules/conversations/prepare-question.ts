import type { Database } from '../../platform/database/database.ts';
import { AppError, inputError, notFound } from '../../platform/errors.ts';
import type { Person } from '../assistants/access.ts';
import { readRetentionSettings } from '../organizations/retention-settings.ts';
import type { RunMessage, TextPart } from '../runs/run-result.ts';
import { type Conversation, conversationLimits, requireConversation } from './conversation.ts';
import { type ConversationMessage, readPath } from './conversation-message.ts';
import { historyOf } from './history.ts';
import { requireKept } from './require-kept.ts';

/**
 * The place of a question. `parentMessageId` is the answer that it follows: absent for the one that
 * was added last, null for a new beginning.
 */
export type ConversationPlace = {
  conversationId: string;
  parentMessageId?: string | null | undefined;
};

type PrepareQuestionInput = ConversationPlace & {
  assistantId: string;
  person: Person;
  messages: readonly RunMessage[];
  /** Whether the question has its place in the conversation already. */
  isStored: boolean;
};

/** A question that may be asked, with what the model reads. Nothing of it is stored yet. */
export type PreparedQuestion = {
  conversation: Conversation;
  parentId: string | null;
  parts: TextPart[];
  /** The messages of the branch, and the question. */
  messages: RunMessage[];
  redactsContent: boolean;
  /** The messages of the branch, for their attachments. */
  branch: readonly ConversationMessage[];
};

/** Checks a question for a conversation of the person, and reads the branch that it continues. */
export async function prepareQuestion(
  {
    conversationId,
    parentMessageId,
    assistantId,
    person,
    messages,
    isStored,
  }: PrepareQuestionInput,
  { database }: { database: Database },
): Promise<PreparedQuestion> {
  const { organizationId, userId } = person;
  const settings = await readRetentionSettings({ organizationId }, database);
  requireKept(settings);
  const parts = partsOf(messages);
  const conversation = await requireConversation(
    { conversationId, organizationId, userId },
    database,
  );
  if (conversation.assistantId !== assistantId)
    throw inputError('conversationId', 'INVALID', 'The conversation is with another assistant');
  if (!isStored && conversation.messageCount + 2 > conversationLimits.messages)
    throw new AppError(
      'CONFLICT',
      `The conversation has ${conversationLimits.messages} messages, which is the maximum. Start a new one`,
      'CONVERSATION_FULL',
    );
  const named = parentMessageId === undefined ? conversation.activeMessageId : parentMessageId;
  const path = await readPath({ conversationId, messageId: named }, database);
  const branch =
    parentMessageId === undefined ? withoutUnfinished(path) : checkedBranch(path, parentMessageId);
  return {
    conversation,
    parentId: branch.at(-1)?.id ?? null,
    parts,
    messages: historyOf(branch, { role: 'user', content: parts }),
    redactsContent: settings.redactsContent,
    branch,
  };
}

function partsOf(messages: readonly RunMessage[]): TextPart[] {
  return messages.flatMap(({ role, content }, index): TextPart[] => {
    if (role !== 'user')
      throw inputError(
        `messages[${index}]`,
        'INVALID',
        `messages[${index}] must be of the role user: the conversation has the messages before it`,
      );
    return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  });
}

/** A question that is asked while the answer before it is written becomes a branch beside it. */
function withoutUnfinished(path: readonly ConversationMessage[]): readonly ConversationMessage[] {
  return path.at(-1)?.state === 'RUNNING' ? path.slice(0, -2) : path;
}

function checkedBranch(
  path: readonly ConversationMessage[],
  parentMessageId: string | null,
): readonly ConversationMessage[] {
  const parent = path.at(-1);
  if (parentMessageId === null) return [];
  if (!parent) throw notFound('Message');
  if (parent.role !== 'ASSISTANT')
    throw inputError(
      'parentMessageId',
      'INVALID',
      'parentMessageId must be an answer, or null for a new beginning',
    );
  if (parent.state === 'RUNNING')
    throw new AppError(
      'CONFLICT',
      'The answer that the question follows is still being written',
      'ANSWER_NOT_COMPLETE',
    );
  return path;
}
