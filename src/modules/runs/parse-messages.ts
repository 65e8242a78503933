import { z } from 'zod';
import { runLimits } from './run-limits.ts';
import type { RunMessage } from './run-result.ts';

const roles = ['system', 'user', 'assistant', 'tool'] as const;
const id = z.string().min(1).max(200);
const name = z.string().min(1).max(200);

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const reasoningPart = z.object({ type: z.literal('reasoning'), text: z.string() });
const toolCallPart = z.object({ type: z.literal('tool-call'), toolCallId: id, toolName: name, input: z.unknown() });
const toolResultPart = z.object({
  type: z.literal('tool-result'),
  toolCallId: id,
  toolName: name,
  output: z.union([
    z.object({ type: z.enum(['text', 'error-text']), value: z.string() }),
    z.object({ type: z.enum(['json', 'error-json']), value: z.unknown() }),
  ]),
});

const saidBy = <Role extends string, Part extends z.ZodType>(role: Role, part: Part) =>
  z.object({ role: z.literal(role), content: z.union([z.string(), z.array(z.unknown()).max(1_000).pipe(z.array(part))]) });

const message = z.discriminatedUnion('role', [
  saidBy('system', textPart),
  saidBy('user', textPart),
  saidBy('assistant', z.discriminatedUnion('type', [textPart, reasoningPart, toolCallPart])),
  saidBy('tool', toolResultPart),
]);

export const messagesExpectation = `a list of 1 to ${runLimits.messages} messages {role, content}`;

/** What is wrong with a list of messages, in words for its sender. */
export class MessageFault extends Error {}

/** The messages of a caller. Fields that no message has are left out; a message that is none is refused by its number. */
export function parseMessages(value: unknown): RunMessage[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > runLimits.messages) throw new MessageFault(`must be ${messagesExpectation}`);
  const messages = value.map((item: unknown, index) => {
    const parsed = message.safeParse(item);
    if (parsed.success) return parsed.data;
    throw new MessageFault(`must be ${messagesExpectation}; item ${index + 1} ${faultOf(item)}`);
  });
  const text = JSON.stringify(messages);
  if (text.length > runLimits.messageCharacters) throw new MessageFault(`must not be longer than ${runLimits.messageCharacters} characters`);
  return messages;
}

function faultOf(item: unknown): string {
  const { role, content }: { role?: unknown; content?: unknown } = Object(item);
  if (!roles.some((known) => known === role)) return `must have a role of ${roles.join(', ')}`;
  if (typeof content !== 'string' && !Array.isArray(content)) return 'must have content: a string, or the parts that a run returned';
  return `has content with a part that a message of the role ${String(role)} does not have`;
}
