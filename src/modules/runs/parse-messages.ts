import { z } from 'zod';
import { InputFault, InputFaults, parseItems } from '../../platform/input-fault.ts';
import { jsonKindOf } from '../../platform/parse-json.ts';
import { promptFor } from './prompt.ts';
import { runLimits } from './run-limits.ts';
import type { RunMessage } from './run-result.ts';

const roles = ['system', 'user', 'assistant', 'tool'] as const;
const id = z.string().min(1).max(200);
const name = z.string().min(1).max(200);

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const reasoningPart = z.object({ type: z.literal('reasoning'), text: z.string() });
const toolCallPart = z.object({
  type: z.literal('tool-call'),
  toolCallId: id,
  toolName: name,
  input: z.unknown(),
});
const toolResultPart = z.object({
  type: z.literal('tool-result'),
  toolCallId: id,
  toolName: name,
  output: z.union([
    z.object({ type: z.enum(['text', 'error-text']), value: z.string() }),
    z.object({ type: z.enum(['json', 'error-json']), value: z.unknown() }),
  ]),
});

/** The parts that a message of each role can consist of. */
const partSchemas = {
  system: textPart,
  user: textPart,
  assistant: z.discriminatedUnion('type', [textPart, reasoningPart, toolCallPart]),
  tool: toolResultPart,
} as const;

const messageSchema = <Role extends string, Part extends z.ZodType>(role: Role, part: Part) =>
  z.object({
    role: z.literal(role),
    content: z.union([
      z.string(),
      z.array(z.unknown()).max(runLimits.messageParts).pipe(z.array(part)),
    ]),
  });

const messageSchemas = z.discriminatedUnion('role', [
  messageSchema('system', partSchemas.system),
  messageSchema('user', partSchemas.user),
  messageSchema('assistant', partSchemas.assistant),
  messageSchema('tool', partSchemas.tool),
]);

export const messagesExpectation = `a list of 1 to ${runLimits.messages} messages`;
const restExpectation = `${messagesExpectation} {role, content}`;

/**
 * Parses the messages of a caller of REST, in the format of the AI SDK. Unknown fields are dropped.
 */
export function parseMessages(value: unknown): RunMessage[] {
  if (!Array.isArray(value)) throw wrongType('', restExpectation, value);
  if (value.length === 0)
    throw new InputFault('TOO_SHORT', `must be ${restExpectation}, but is empty`);
  if (value.length > runLimits.messages)
    throw new InputFault('TOO_LONG', `must be ${restExpectation}, but has ${value.length}`);
  const messages = parseItems(value, (item: unknown, index) => {
    const parsed = messageSchemas.safeParse(item);
    if (parsed.success) return parsed.data;
    throw new InputFaults(faultsOf(item, `[${index}]`));
  });
  requireShortConversation(messages);
  requireReadableMessage(messages);
  return messages;
}

/** Throws if a conversation is too long as JSON. */
export function requireShortConversation(messages: readonly unknown[]): void {
  const { length } = JSON.stringify(messages);
  if (length > runLimits.messageCharacters)
    throw new InputFault(
      'TOO_LONG',
      `must not be longer than ${runLimits.messageCharacters} characters as JSON, but has ${length}`,
    );
}

/**
 * Throws if no message reaches the model: the SDK refuses to call a model without one, which would
 * look like a fault of the provider.
 */
export function requireReadableMessage(messages: readonly RunMessage[]): void {
  if (messages.some(({ role }) => role === 'user' || role === 'system')) return;
  if (promptFor({ messages, sentPassages: [], fence: '' }).length === 0)
    throw new InputFault(
      'INVALID',
      'must have a message that the model can read: a tool result needs its call, and a message of the assistant or of a tool needs content',
    );
}

function faultsOf(item: unknown, path: string): InputFault[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return [wrongType(path, 'a message {role, content}', item)];
  const { role, content }: { role?: unknown; content?: unknown } = item;
  const knownRole = roles.find((knownName) => knownName === role);
  return [
    ...faultsOfRole(role, `${path}.role`),
    ...faultsOfContent(content, knownRole, `${path}.content`),
  ];
}

function faultsOfRole(role: unknown, path: string): InputFault[] {
  if (role === undefined) return [new InputFault('REQUIRED', 'is required', path)];
  return roles.some((knownName) => knownName === role)
    ? []
    : [new InputFault('UNKNOWN_VALUE', `must be one of ${roles.join(', ')}`, path)];
}

function faultsOfContent(
  content: unknown,
  role: (typeof roles)[number] | undefined,
  path: string,
): InputFault[] {
  if (content === undefined) return [new InputFault('REQUIRED', 'is required', path)];
  if (typeof content === 'string') return [];
  if (!Array.isArray(content))
    return [wrongType(path, 'a string, or the list of parts that a run returned', content)];
  if (content.length > runLimits.messageParts)
    return [
      new InputFault(
        'TOO_LONG',
        `must have at most ${runLimits.messageParts} parts, but has ${content.length}`,
        path,
      ),
    ];
  // What a part can be depends on the role.
  if (!role) return [];
  return content.flatMap((part, index) =>
    partSchemas[role].safeParse(part).success
      ? []
      : [
          new InputFault(
            'INVALID',
            `is not a part that a message of the role ${role} can have`,
            `${path}[${index}]`,
          ),
        ],
  );
}

const wrongType = (path: string, expectation: string, value: unknown) =>
  new InputFault(
    value === null ? 'NOT_NULLABLE' : 'WRONG_TYPE',
    `must be ${expectation}, not ${jsonKindOf(value)}`,
    path,
  );
