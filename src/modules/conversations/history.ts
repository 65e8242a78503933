import { runLimits } from '../runs/run-limits.ts';
import type { RunMessage } from '../runs/run-result.ts';
import type { ConversationMessage } from './conversation-message.ts';

/**
 * What the model reads of a branch before the question: as many of its newest messages as the limits
 * of a run allow.
 */
export function historyOf(
  branch: readonly ConversationMessage[],
  question: RunMessage,
): RunMessage[] {
  let characters = JSON.stringify(question).length;
  const history: RunMessage[] = [question];
  for (const message of branch.toReversed()) {
    const messages: RunMessage[] =
      message.role === 'USER' ? [{ role: 'user', content: message.content }] : message.content;
    characters += JSON.stringify(messages).length;
    const isTooLong =
      characters > runLimits.messageCharacters ||
      history.length + messages.length > runLimits.messages;
    if (isTooLong) break;
    history.unshift(...messages);
  }
  return history;
}
