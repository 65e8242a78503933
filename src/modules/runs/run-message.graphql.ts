import { builder } from '../../graph/schema/builder.ts';
import type {
  AnswerMessage,
  AnswerToolOutput,
  AnswerToolResult,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from './run-result.ts';

const RunMessageRole = builder.enumType('RunMessageRole', {
  description: 'Who wrote a message of a run.',
  values: {
    ASSISTANT: { description: 'The model.' },
    TOOL: { description: 'The tools that the model called.' },
  },
});

const ToolOutputType = builder.enumType('ToolOutputType', {
  description: 'Whether a tool did its work.',
  values: {
    TEXT: { description: 'The value is the result of the tool.' },
    ERROR_TEXT: { description: 'The tool failed, and the value says why.' },
  },
});

const outputTypes = { text: 'TEXT', 'error-text': 'ERROR_TEXT' } as const;

export const ToolOutput = builder.objectRef<AnswerToolOutput>('ToolOutput').implement({
  description: 'What a tool returned to the model.',
  fields: (t) => ({
    type: t.field({
      type: ToolOutputType,
      description: 'Whether the value is a result or an error.',
      resolve: ({ type }) => outputTypes[type],
    }),
    value: t.exposeString('value', { description: 'The text that the model reads.' }),
  }),
});

const TextPartType = builder.objectRef<TextPart>('TextPart').implement({
  description: 'Text of the answer.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'The text. Markers such as [1] point into citationDetails.',
    }),
  }),
});

const ReasoningPartType = builder.objectRef<ReasoningPart>('ReasoningPart').implement({
  description: 'What the model wrote to itself before its answer.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The reasoning of the model.' }),
  }),
});

export const toolCallId = 'The id of the call, unique within the run. Its result has the same one.';
export const toolName = 'The name of the tool, such as `search_knowledge`.';
export const toolInput =
  'The arguments of the call; their form depends on the tool. Null if the model gave none.';

const ToolCallPartType = builder.objectRef<ToolCallPart>('ToolCallPart').implement({
  description: 'A call of a tool by the model.',
  fields: (t) => ({
    toolCallId: t.exposeString('toolCallId', { description: toolCallId }),
    toolName: t.exposeString('toolName', { description: toolName }),
    input: t.expose('input', { type: 'JSON', nullable: true, description: toolInput }),
  }),
});

const ToolResultPartType = builder.objectRef<AnswerToolResult>('ToolResultPart').implement({
  description: 'The result of a tool call.',
  fields: (t) => ({
    toolCallId: t.exposeString('toolCallId', {
      description: 'The id of the call that this is the result of.',
    }),
    toolName: t.exposeString('toolName', { description: toolName }),
    output: t.expose('output', { type: ToolOutput, description: 'What the tool returned.' }),
  }),
});

const partTypes = {
  text: TextPartType,
  reasoning: ReasoningPartType,
  'tool-call': ToolCallPartType,
  'tool-result': ToolResultPartType,
};

const RunMessagePart = builder.unionType('RunMessagePart', {
  description: 'Text, reasoning, a call of a tool, or its result.',
  types: Object.values(partTypes),
  resolveType: ({ type }) => partTypes[type],
});

const roles = { assistant: 'ASSISTANT', tool: 'TOOL' } as const;

export const RunMessage = builder.objectRef<AnswerMessage>('RunMessage').implement({
  description: 'A new message of a run.',
  fields: (t) => ({
    role: t.field({
      type: RunMessageRole,
      description: 'Who wrote the message.',
      resolve: ({ role }) => roles[role],
    }),
    content: t.field({
      type: [RunMessagePart],
      description: 'The parts of the message, in their order.',
      resolve: ({ content }) => content,
    }),
  }),
});
