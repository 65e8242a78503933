import type { Context } from '../../access/context.ts';
import { personOf } from '../../access/scopes.ts';
import { watchAccess } from '../../access/watch-access.ts';
import { builder } from '../../graph/schema/builder.ts';
import { integer } from '../../graph/schema/input-rules.ts';
import { type InputBuilder, mutation } from '../../graph/schema/mutation.ts';
import type { RestForm } from '../../graph/schema/rest-form.ts';
import type { Upload } from '../../http/upload.ts';
import { Assistant, temperatureRule } from '../assistants/assistant.graphql.ts';
import { requireRunnable } from '../assistants/require-assistant.ts';
import { type MessageInput, messagesFrom, toMessageInput } from './message-forms.ts';
import { parseMessages } from './parse-messages.ts';
import { prepareRun, requireRun, runAssistant } from './run-assistant.ts';
import { runLimits } from './run-limits.ts';
import { RunMessage, ToolOutput, toolCallId, toolInput, toolName } from './run-message.graphql.ts';
import { RunMessageInput } from './run-message-input.graphql.ts';
import type { CitationDetail, RunResult } from './run-result.ts';
import './services.ts';
import { type StreamedEvent, streamRun } from './stream-run.ts';

const restMessages: RestForm = {
  parse: (value) => parseMessages(value).map(toMessageInput),
  jsonSchema: {
    title: 'RunMessages',
    type: 'array',
    minItems: 1,
    maxItems: runLimits.messages,
    items: {
      title: 'RunMessage',
      type: 'object',
      properties: {
        role: { type: 'string', enum: ['user', 'system', 'assistant', 'tool'] },
        content: {
          anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }],
        },
      },
      required: ['role', 'content'],
    },
  },
};

const RunUsage = builder.objectRef<RunResult['usage']>('RunUsage').implement({
  description: 'Tokens of all steps of a run; 0 if the provider does not count them.',
  fields: (t) => ({
    promptTokens: t.exposeInt('promptTokens', {
      description:
        'Tokens of what the model read: instructions, messages, passages and results of tools.',
    }),
    completionTokens: t.exposeInt('completionTokens', {
      description: 'Tokens of what the model wrote, including reasoning and tool calls.',
    }),
  }),
});

const CitationDetailType = builder.objectRef<CitationDetail>('CitationDetail').implement({
  description: 'The source that a marker such as [1] in the text points to.',
  fields: (t) => ({
    marker: t.exposeInt('marker', { description: 'The number in brackets.' }),
    documentId: t.exposeID('documentId', {
      nullable: true,
      description: 'The id of the current file. Null for a file that was sent with the run.',
    }),
    isPreviousVersion: t.exposeBoolean('isPreviousVersion', {
      description:
        'True if the text comes from the previous version of the file: runs search a replacement only once it is COMPLETED. Name, page, quote and offsets are those of the cited version.',
    }),
    versionId: t.exposeID('versionId', {
      nullable: true,
      description:
        'The id of the cited version, for assistantFileExcerpt: the id of the file, or of the file that it replaced.',
    }),
    originalName: t.exposeString('originalName', {
      description: 'The name of the file that contains the quote.',
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'The page, from 1; null for a kind of file without pages.',
    }),
    start: t.exposeInt('start', {
      description: 'The offset of the quote in the text of the file, in UTF-16 units.',
    }),
    end: t.exposeInt('end', {
      description: 'The offset after the quote in the text of the file, in UTF-16 units.',
    }),
    quote: t.exposeString('quote', { description: 'The quoted text.' }),
    score: t.exposeFloat('score', {
      description: 'The score that the search gave to the passage.',
    }),
  }),
});

const RunFinishReason = builder.enumType('RunFinishReason', {
  description: 'Why an answer ended.',
  values: {
    STOP: { description: 'The answer is complete.' },
    LENGTH: {
      description: 'The model reached its token limit, so the answer is incomplete.',
    },
  },
});

const RunResultType = builder.objectRef<RunResult>('RunResult').implement({
  description: 'The answer of an assistant with its sources and messages.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'The answer. Markers such as [1] point into citationDetails.',
    }),
    model: t.exposeString('model', { description: 'The model that answered.' }),
    messages: t.expose('messages', {
      type: [RunMessage],
      description:
        'The new messages: text, reasoning and tool calls of the model, and the results of its tools.',
    }),
    usage: t.expose('usage', {
      type: RunUsage,
      description: 'The tokens of all steps of the run.',
    }),
    citations: t.exposeStringList('citations', {
      description:
        'The sources of the answer without duplicates, in order of first use: `originalName` or `originalName#page=3`.',
    }),
    citationDetails: t.expose('citationDetails', {
      type: [CitationDetailType],
      description: 'The source of each marker in the text, in order of first use.',
    }),
    finishReason: t.expose('finishReason', {
      type: RunFinishReason,
      description: 'Whether the answer is complete.',
    }),
  }),
});

type EventOf<Type extends StreamedEvent['type']> = Extract<StreamedEvent, { type: Type }>;

const TextEvent = builder.objectRef<EventOf<'text'>>('TextEvent').implement({
  description: 'The next part of the answer.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Text to append to the answer so far.' }),
  }),
});
const ReasoningEvent = builder.objectRef<EventOf<'reasoning'>>('ReasoningEvent').implement({
  description: 'The next part of the model’s reasoning.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Text to append to the reasoning so far.' }),
  }),
});
const ToolCallEvent = builder.objectRef<EventOf<'tool-call'>>('ToolCallEvent').implement({
  description: 'The model calls a tool.',
  fields: (t) => ({
    toolCallId: t.exposeString('toolCallId', { description: toolCallId }),
    toolName: t.exposeString('toolName', { description: toolName }),
    input: t.expose('input', { type: 'JSON', nullable: true, description: toolInput }),
  }),
});
const ToolResultEvent = builder.objectRef<EventOf<'tool-result'>>('ToolResultEvent').implement({
  description: 'A tool has returned a result.',
  fields: (t) => ({
    toolCallId: t.exposeString('toolCallId', {
      description: 'The id of the call that this is the result of.',
    }),
    toolName: t.exposeString('toolName', { description: toolName }),
    output: t.expose('output', { type: ToolOutput, description: 'What the tool returned.' }),
  }),
});
const DoneEvent = builder.objectRef<EventOf<'done'>>('DoneEvent').implement({
  description: 'The run has ended.',
  fields: (t) => ({
    result: t.expose('result', {
      type: RunResultType,
      description: 'The complete answer, as runAssistant returns it.',
    }),
  }),
});

const eventTypes = {
  text: TextEvent,
  reasoning: ReasoningEvent,
  'tool-call': ToolCallEvent,
  'tool-result': ToolResultEvent,
  done: DoneEvent,
};

const AssistantRunEvent = builder.unionType('AssistantRunEvent', {
  description: 'An event of a running run.',
  types: Object.values(eventTypes),
  resolveType: ({ type }) => eventTypes[type],
});

type RunArguments = {
  assistantId: string;
  messages: MessageInput[];
  files?: Upload[] | null | undefined;
  outputTokensMax?: number | null | undefined;
  temperature?: number | null | undefined;
};

const runInput = (
  { assistantId, messages, files, outputTokensMax, temperature }: RunArguments,
  { viewer }: Context,
) => ({
  assistantId,
  messages: messagesFrom(messages),
  files: files ?? [],
  outputTokensMax: outputTokensMax ?? undefined,
  temperature: temperature ?? undefined,
  person: personOf(viewer),
});

const runFields = (t: InputBuilder) => ({
  assistantId: t.field({
    type: 'ID',
    description: 'The id of an assistant that the caller may run.',
  }),
  messages: t.field({
    type: [RunMessageInput],
    extensions: { restForm: restMessages },
    description: 'The conversation so far, oldest message first. The assistant answers the last.',
  }),
  files: t.field({
    type: ['Upload'],
    required: false,
    description: 'Files whose text is used in this run only. A GraphQL request can send one file.',
  }),
  outputTokensMax: t.field({
    type: 'SafeInt',
    rule: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    required: false,
    description:
      'Tokens that the model may write in all steps together, including reasoning and tool calls. Without it, each step has its own limit.',
  }),
  temperature: t.field({
    type: 'Float',
    rule: temperatureRule,
    required: false,
    description: 'Overrides the temperature of the assistant for this run.',
  }),
});

const AssistantRunInput = builder.inputType('AssistantRunInput', {
  description: 'The arguments of `assistantRun`.',
  fields: runFields,
});

builder.queryField('runnableAssistant', (t) =>
  t.field({
    type: Assistant,
    description:
      'An assistant that the caller may run now. Otherwise the error is the same as that of a run.',
    args: { assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }) },
    authScopes: { person: true },
    resolve: (_, { assistantId }, context) =>
      requireRun({ assistantId, person: personOf(context.viewer) }, context),
  }),
);

mutation('runAssistant', {
  description: 'Runs an assistant and returns its answer.',
  authScopes: { person: true },
  input: runFields,
  resolve: async (input, context) => ({
    run: await runAssistant(runInput(input, context), context),
  }),
  payload: (t) => ({
    run: t.expose('run', { type: RunResultType, description: 'The answer of the assistant.' }),
  }),
});

builder.subscriptionFields((t) => ({
  assistantRun: t.field({
    type: AssistantRunEvent,
    description: 'Runs an assistant and streams its events.',
    args: { input: t.arg({ type: AssistantRunInput, description: 'What to run.' }) },
    authScopes: { person: true },
    subscribe: async (_, args, context) => {
      const input = runInput(args.input, context);
      const run = await prepareRun(input, context);
      const access = watchAccess(context, () => requireRunnable(input, context));
      return streamRun((listener) => run(listener).finally(access.stop), access.signal);
    },
    resolve: (event) => event,
  }),
}));
