import type { ConversationQuery } from '../documents.ts';
import { type Answer, type ChatTurn, stepsOf } from './turn.ts';

export type StoredMessage = ConversationQuery['conversation']['messages'][number];

/** A place in a conversation: a message, and whether the branch goes on with the newest below it. */
export type BranchEnd = { messageId: string | null; goesOn: boolean };

/** The turns of a branch, from its first question. */
export function turnsOfBranch(
  messages: readonly StoredMessage[],
  { messageId, goesOn }: BranchEnd,
): ChatTurn[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const byParent = Map.groupBy(messages, ({ parentId }) => parentId);
  const path: StoredMessage[] = [];
  let message = messageId === null ? undefined : byId.get(messageId);
  for (let at = message; at; at = at.parentId === null ? undefined : byId.get(at.parentId))
    path.unshift(at);
  // Messages are in the order in which they were added, so the last one is the newest.
  while (goesOn && message) {
    message = byParent.get(message.id)?.at(-1);
    if (message) path.push(message);
  }
  return path
    .filter(({ role }) => role === 'USER')
    .map((question) => {
      const branches = byParent.get(question.parentId) ?? [];
      const [answer] = byParent.get(question.id) ?? [];
      return turnOf(
        question,
        answer,
        branches.map(({ id }) => id),
      );
    });
}

function turnOf(
  question: StoredMessage,
  answer: StoredMessage | undefined,
  branches: readonly string[],
): ChatTurn {
  const runId = answer?.runId ?? question.runId;
  return {
    id: question.id,
    ...(answer && { answerId: answer.id, feedback: answer.feedback }),
    parentId: question.parentId,
    question: question.text,
    files: question.attachments.map(({ originalName, contentAddress }) => ({
      name: originalName,
      address: contentAddress,
    })),
    ...(runId !== null && { runId }),
    branches,
    ...(answer ? answerOf(answer) : { steps: [], state: 'stopped' }),
  };
}

const states = {
  RUNNING: 'running',
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'stopped',
} as const;

function answerOf({ messages, state, model, usage, citationDetails }: StoredMessage): Answer {
  return {
    steps: stepsOf(messages),
    state: states[state],
    ...(state === 'COMPLETED' &&
      model !== null && {
        result: {
          model,
          messages,
          usage: usage ?? { promptTokens: 0, completionTokens: 0 },
          citationDetails,
        },
      }),
  };
}
