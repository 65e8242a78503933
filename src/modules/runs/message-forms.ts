import { inputError } from '../../platform/errors.ts';
import { InputFault } from '../../platform/input-fault.ts';
import {
  messagesExpectation,
  requireReadableMessage,
  requireShortConversation,
} from './parse-messages.ts';
import { runLimits } from './run-limits.ts';
import type {
  AssistantPart,
  RunMessage,
  TextPart,
  ToolOutput,
  ToolResultPart,
} from './run-result.ts';

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | null | undefined };
type ToolIds = { toolCallId: string; toolName: string };

/** A message as the graph takes it. One field is set, and so in its parts and outputs. */
export type MessageInput = Optional<{
  system: string[];
  user: string[];
  assistant: AssistantPartInput[];
  tool: ToolResultInput[];
  toolText: string;
}>;
type AssistantPartInput = Optional<{
  text: string;
  reasoning: string;
  toolCall: ToolIds & { input?: unknown };
}>;
type ToolResultInput = ToolIds & { output: ToolOutputInput };
type ToolOutputInput = Optional<{
  text: string;
  errorText: string;
  json: unknown;
  errorJson: unknown;
}>;

/** The message as a client of the graph sends it. */
export function toMessageInput(message: RunMessage): MessageInput {
  const { role, content } = message;
  if (role === 'system') return { system: textsOf(content) };
  if (role === 'user') return { user: textsOf(content) };
  if (role === 'assistant') {
    const parts = typeof content === 'string' ? textParts(content) : content;
    return { assistant: parts.map(toPartInput) };
  }
  return typeof content === 'string'
    ? { toolText: content }
    : { tool: content.map((part) => ({ ...idsOf(part), output: toOutputInput(part.output) })) };
}

const textsOf = (content: string | TextPart[]): string[] =>
  typeof content === 'string' ? [content] : content.map(({ text }) => text);

const textPart = (text: string): TextPart => ({ type: 'text', text });

/** No model accepts an empty text of its own. */
const textParts = (text: string): TextPart[] => (text === '' ? [] : [textPart(text)]);

function toPartInput(part: AssistantPart): AssistantPartInput {
  if (part.type === 'tool-call') return { toolCall: { ...idsOf(part), input: part.input } };
  return part.type === 'text' ? { text: part.text } : { reasoning: part.text };
}

const idsOf = ({ toolCallId, toolName }: ToolIds): ToolIds => ({
  toolCallId,
  toolName,
});

function toOutputInput(output: ToolOutput): ToolOutputInput {
  if (output.type === 'text') return { text: output.value };
  if (output.type === 'error-text') return { errorText: output.value };
  // A field with null counts as absent, and the model reads null as text.
  if (output.value === undefined || output.value === null) return { text: 'null' };
  return output.type === 'json' ? { json: output.value } : { errorJson: output.value };
}

/** The messages of a run, from those that the graph took. */
export function messagesFrom(inputs: readonly MessageInput[]): RunMessage[] {
  try {
    requireBounds(inputs);
    requireShortConversation(inputs);
    const messages = inputs.map(messageFrom);
    requireReadableMessage(messages);
    return messages;
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    const field = `messages${error.subpath}`;
    throw inputError(field, error.code, `${field} ${error.message}`);
  }
}

function requireBounds(inputs: readonly MessageInput[]): void {
  if (inputs.length === 0)
    throw new InputFault('TOO_SHORT', `must be ${messagesExpectation}, but is empty`);
  if (inputs.length > runLimits.messages)
    throw new InputFault('TOO_LONG', `must be ${messagesExpectation}, but has ${inputs.length}`);
  for (const [index, { assistant, tool }] of inputs.entries()) {
    const { length } = assistant ?? tool ?? [];
    if (length > runLimits.messageParts)
      throw new InputFault(
        'TOO_LONG',
        `must have at most ${runLimits.messageParts} parts, but has ${length}`,
        `[${index}].${assistant ? 'assistant' : 'tool'}`,
      );
  }
}

function messageFrom({ system, user, assistant, tool, toolText }: MessageInput): RunMessage {
  if (system) return { role: 'system', content: system.map(textPart) };
  if (user) return { role: 'user', content: user.map(textPart) };
  if (assistant) return { role: 'assistant', content: assistant.map(partFrom) };
  return { role: 'tool', content: tool?.map(resultFrom) ?? toolText ?? '' };
}

function partFrom({ text, reasoning, toolCall }: AssistantPartInput): AssistantPart {
  if (toolCall) return { type: 'tool-call', ...idsOf(toolCall), input: toolCall.input };
  return typeof text === 'string'
    ? { type: 'text', text }
    : { type: 'reasoning', text: reasoning ?? '' };
}

const resultFrom = (result: ToolResultInput): ToolResultPart => ({
  type: 'tool-result',
  ...idsOf(result),
  output: outputFrom(result.output),
});

function outputFrom({ text, errorText, json, errorJson }: ToolOutputInput): ToolOutput {
  if (typeof text === 'string') return { type: 'text', value: text };
  if (typeof errorText === 'string') return { type: 'error-text', value: errorText };
  return json === undefined
    ? { type: 'error-json', value: errorJson }
    : { type: 'json', value: json };
}
