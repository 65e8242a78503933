import { builder } from '../../graph/schema/builder.ts';
import { inputRule, textContract, verbatim } from '../../graph/schema/input-rules.ts';
import { InputFault } from '../../platform/input-fault.ts';
import { jsonKindOf } from '../../platform/parse-json.ts';
import { runLimits } from './run-limits.ts';
import { toolCallId, toolInput, toolName } from './run-message.graphql.ts';

const characters = { min: 0, max: runLimits.messageCharacters };

/** A text of a message. A message is not stored, so any characters are allowed. */
const messageText = inputRule(textContract(characters), (value) => {
  if (typeof value !== 'string') return undefined;
  requireShort(value);
  return value;
});

/** GraphQL takes a single text as a list of one. */
const messageTexts = inputRule(
  {
    expectation: `a list of at most ${runLimits.messageParts} strings`,
    jsonSchema: { type: 'array', items: { type: 'string' }, maxItems: runLimits.messageParts },
    directive: { name: 'items', max: runLimits.messageParts },
  },
  (value) => {
    const texts: unknown[] = Array.isArray(value) ? value : [value];
    if (texts.length > runLimits.messageParts)
      throw new InputFault(
        'TOO_LONG',
        `must be a list of at most ${runLimits.messageParts} strings, but has ${texts.length}`,
      );
    for (const [index, text] of texts.entries()) {
      if (typeof text !== 'string')
        throw new InputFault(
          text === null ? 'NOT_NULLABLE' : 'WRONG_TYPE',
          `must be a string, not ${jsonKindOf(text)}`,
          Array.isArray(value) ? `[${index}]` : '',
        );
      requireShort(text, `[${index}]`);
    }
    return texts;
  },
);

function requireShort(text: string, subpath = ''): void {
  if (text.length > characters.max)
    throw new InputFault(
      'TOO_LONG',
      `must be a string of at most ${characters.max} characters, but has ${text.length}`,
      subpath,
    );
}

const nameRule = verbatim({ min: 1, max: 200 });

const ToolCallInput = builder.inputType('ToolCallInput', {
  description: 'A call of a tool, as a ToolCallPart of an earlier run has it.',
  fields: (t) => ({
    toolCallId: t.string({ rule: nameRule, description: toolCallId }),
    toolName: t.string({ rule: nameRule, description: toolName }),
    input: t.field({ type: 'JSON', required: false, description: toolInput }),
  }),
});

const AssistantPartInput = builder.inputType('AssistantPartInput', {
  isOneOf: true,
  description: 'A part of what the assistant wrote in an earlier run.',
  fields: (t) => ({
    text: t.string({
      required: false,
      rule: messageText,
      description: 'Text of the answer, as a TextPart has it.',
    }),
    reasoning: t.string({
      required: false,
      rule: messageText,
      description: 'The reasoning of the model, as a ReasoningPart has it.',
    }),
    toolCall: t.field({
      type: ToolCallInput,
      required: false,
      description: 'A call of a tool. Without its result it is left out.',
    }),
  }),
});

const ToolOutputInput = builder.inputType('ToolOutputInput', {
  isOneOf: true,
  description: 'What a tool returned to the model.',
  fields: (t) => ({
    text: t.string({ required: false, rule: messageText, description: 'The result as text.' }),
    errorText: t.string({
      required: false,
      rule: messageText,
      description: 'Why the tool failed, as text.',
    }),
    json: t.field({
      type: 'JSON',
      required: false,
      description: 'The result as any value; the model reads it as JSON.',
    }),
    errorJson: t.field({
      type: 'JSON',
      required: false,
      description: 'Why the tool failed, as any value; the model reads it as JSON.',
    }),
  }),
});

const ToolResultInput = builder.inputType('ToolResultInput', {
  description: 'The result of a tool call, as a ToolResultPart of an earlier run has it.',
  fields: (t) => ({
    toolCallId: t.string({
      rule: nameRule,
      description: 'The id of the call that this is the result of.',
    }),
    toolName: t.string({ rule: nameRule, description: toolName }),
    output: t.field({ type: ToolOutputInput, description: 'What the tool returned.' }),
  }),
});

export const RunMessageInput = builder.inputType('RunMessageInput', {
  isOneOf: true,
  description:
    'A message of a conversation, by its role. A message that an earlier run returned can be sent back.',
  fields: (t) => ({
    system: t.stringList({
      required: false,
      rule: messageTexts,
      description:
        'What the application asks of the assistant. It ranks below the assistant’s own instructions.',
    }),
    user: t.stringList({
      required: false,
      rule: messageTexts,
      description: 'What the person wrote: one text, or several that belong together.',
    }),
    assistant: t.field({
      type: [AssistantPartInput],
      required: false,
      description: `What the assistant wrote: at most ${runLimits.messageParts} parts.`,
    }),
    tool: t.field({
      type: [ToolResultInput],
      required: false,
      description: `Results of tool calls of the message before: at most ${runLimits.messageParts}.`,
    }),
    toolText: t.string({
      required: false,
      rule: messageText,
      description: 'What a tool of the application answered, without a call of the model.',
    }),
  }),
});
