import { builder } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import { integerScalar, scalar } from '../../graph/scalars.ts';
import { personOf } from '../../graph/scopes.ts';
import type { Upload } from '../../graph/upload.ts';
import { watchAccess } from '../../graph/watch-access.ts';
import { Assistant } from '../assistants/assistant.graphql.ts';
import { requireRunnable } from '../assistants/require-assistant.ts';
import { messagesExpectation, parseMessages } from './parse-messages.ts';
import { prepareRun, requireRun, runAssistant } from './run-assistant.ts';
import { runLimits } from './run-limits.ts';
import type { CitationDetail, RunMessage, RunResult } from './run-result.ts';
import './services.ts';
import { type StreamedEvent, streamRun } from './stream-run.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    RunMessages: { Input: RunMessage[]; Output: RunMessage[] };
    OutputTokens: { Input: number; Output: number };
  }
}

const parts = { type: 'array', items: { type: 'object' } };

builder.addScalarType(
  'RunMessages',
  scalar<RunMessage[]>(
    'RunMessages',
    {
      expectation: messagesExpectation,
      description:
        'A conversation: messages of the roles system, user, assistant and tool, each with a string or with the parts that a run returned as its content. A system message ranks below the assistant’s own instructions.',
      jsonSchema: {
        type: 'array',
        minItems: 1,
        maxItems: runLimits.messages,
        items: {
          type: 'object',
          properties: {
            role: { type: 'string', enum: ['user', 'system', 'assistant', 'tool'] },
            content: { anyOf: [{ type: 'string' }, parts] },
          },
          required: ['role', 'content'],
        },
      },
    },
    parseMessages,
  ),
);

builder.addScalarType(
  'OutputTokens',
  integerScalar('OutputTokens', {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'How many tokens a run may write, from 1.',
  }),
);

const RunUsage = builder.objectRef<RunResult['usage']>('RunUsage').implement({
  description: 'Tokens over all steps of a run; 0 where the provider does not count.',
  fields: (t) => ({
    promptTokens: t.exposeInt('promptTokens'),
    completionTokens: t.exposeInt('completionTokens'),
  }),
});

const CitationDetailType = builder.objectRef<CitationDetail>('CitationDetail').implement({
  description: 'Where a marker like [1] in the text points to.',
  fields: (t) => ({
    marker: t.exposeInt('marker', { description: 'The number in brackets.' }),
    documentId: t.exposeID('documentId', {
      nullable: true,
      description: 'The id of the current file. Null for a file that was sent with the run.',
    }),
    isPreviousVersion: t.exposeBoolean('isPreviousVersion', {
      description:
        'True where the text comes from the content that the file replaced: a replacement answers questions only once it is COMPLETED. Name, page, quote and offsets are those of the cited content.',
    }),
    versionId: t.exposeID('versionId', {
      nullable: true,
      description:
        'Names the cited content for assistantFileExcerpt. The id of the file, or of the one that it replaced.',
    }),
    originalName: t.exposeString('originalName', {
      description: 'The name of the file that the quote stands in.',
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'From 1; null where the kind of file has no pages.',
    }),
    start: t.exposeInt('start', {
      description: 'Where the quote begins in the text of the file, in UTF-16 units.',
    }),
    end: t.exposeInt('end'),
    quote: t.exposeString('quote', { description: 'What stands there.' }),
    score: t.exposeFloat('score', { description: 'How well the search found the passage to fit.' }),
  }),
});

const RunFinishReason = builder.enumType('RunFinishReason', {
  description: 'Why an answer ended.',
  values: {
    STOP: { description: 'The answer is complete.' },
    LENGTH: {
      description: 'The model had written as many tokens as it might: the answer is cut off.',
    },
  },
});

const RunResultType = builder.objectRef<RunResult>('RunResult').implement({
  description: 'What an assistant answered, and how it came to it.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'The answer. Markers like [1] point into citationDetails.',
    }),
    model: t.exposeString('model', { description: 'The model that answered.' }),
    messages: t.expose('messages', {
      type: 'RunMessages',
      description:
        'The new messages: what the model said, thought and asked for, and what its tools answered.',
    }),
    usage: t.expose('usage', { type: RunUsage }),
    citations: t.exposeStringList('citations', {
      description:
        'Each source that the answer uses once, in order: `originalName` or `originalName#page=3`.',
    }),
    citationDetails: t.expose('citationDetails', { type: [CitationDetailType] }),
    finishReason: t.expose('finishReason', { type: RunFinishReason }),
  }),
});

type EventOf<Type extends StreamedEvent['type']> = Extract<StreamedEvent, { type: Type }>;

const TextEvent = builder.objectRef<EventOf<'text'>>('TextEvent').implement({
  description: 'The next piece of what the model says.',
  fields: (t) => ({ text: t.exposeString('text') }),
});
const ReasoningEvent = builder.objectRef<EventOf<'reasoning'>>('ReasoningEvent').implement({
  description: 'The next piece of what the model thinks.',
  fields: (t) => ({ text: t.exposeString('text') }),
});
const ToolCallEvent = builder.objectRef<EventOf<'tool-call'>>('ToolCallEvent').implement({
  description: 'The model asks for a tool.',
  fields: (t) => ({
    toolCallId: t.exposeString('toolCallId'),
    toolName: t.exposeString('toolName'),
    input: t.expose('input', { type: 'JSON', nullable: true }),
  }),
});
const ToolResultEvent = builder.objectRef<EventOf<'tool-result'>>('ToolResultEvent').implement({
  description: 'A tool has answered.',
  fields: (t) => ({
    toolCallId: t.exposeString('toolCallId'),
    toolName: t.exposeString('toolName'),
    output: t.expose('output', { type: 'JSON', nullable: true }),
  }),
});
const DoneEvent = builder.objectRef<EventOf<'done'>>('DoneEvent').implement({
  description: 'The run has ended.',
  fields: (t) => ({ result: t.expose('result', { type: RunResultType }) }),
});

const eventTypes = {
  text: TextEvent,
  reasoning: ReasoningEvent,
  'tool-call': ToolCallEvent,
  'tool-result': ToolResultEvent,
  done: DoneEvent,
};

const AssistantRunEvent = builder.unionType('AssistantRunEvent', {
  description: 'What happens in a run, as it happens.',
  types: Object.values(eventTypes),
  resolveType: ({ type }) => eventTypes[type],
});

type Arguments = {
  assistantId: string;
  messages: RunMessage[];
  files?: Upload[] | null | undefined;
  outputTokensMax?: number | null | undefined;
  temperature?: number | null | undefined;
};

const asked = (
  { assistantId, messages, files, outputTokensMax, temperature }: Arguments,
  { viewer }: Context,
) => ({
  assistantId,
  messages,
  files: files ?? [],
  outputTokensMax: outputTokensMax ?? undefined,
  temperature: temperature ?? undefined,
  person: personOf(viewer),
});

const aboutOutputTokens =
  'Tokens that the model may write in all steps together; reasoning and calls of tools count. Left out, each step has its own limit.';
const aboutTemperature = 'Holds for this run in place of the assistant’s own.';

builder.queryField('runnableAssistant', (t) =>
  t.field({
    type: Assistant,
    description:
      'An assistant that the person who asks may run now; where they may not, the refusal that a run would meet.',
    args: { assistantId: t.arg({ type: 'ResourceId' }) },
    authScopes: { person: true },
    resolve: (_, { assistantId }, context) =>
      requireRun({ assistantId, person: personOf(context.viewer) }, context),
  }),
);

builder.mutationFields((t) => ({
  runAssistant: t.field({
    type: RunResultType,
    description: 'Lets an assistant answer.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      messages: t.arg({ type: 'RunMessages' }),
      files: t.arg({
        type: ['Upload'],
        required: false,
        description: 'Files whose text joins this run only; over GraphQL one in a request.',
      }),
      outputTokensMax: t.arg({
        type: 'OutputTokens',
        required: false,
        description: aboutOutputTokens,
      }),
      temperature: t.arg({ type: 'Temperature', required: false, description: aboutTemperature }),
    },
    authScopes: { person: true },
    resolve: (_, args, context) => runAssistant(asked(args, context), context),
  }),
}));

builder.subscriptionFields((t) => ({
  assistantRun: t.field({
    type: AssistantRunEvent,
    description: 'Lets an assistant answer, and tells what happens as it happens.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      messages: t.arg({ type: 'RunMessages' }),
      files: t.arg({
        type: ['Upload'],
        required: false,
        description: 'Files whose text joins this run only; over GraphQL one in a request.',
      }),
      outputTokensMax: t.arg({
        type: 'OutputTokens',
        required: false,
        description: aboutOutputTokens,
      }),
      temperature: t.arg({ type: 'Temperature', required: false, description: aboutTemperature }),
    },
    authScopes: { person: true },
    subscribe: async (_, args, context) => {
      const wanted = asked(args, context);
      const run = await prepareRun(wanted, context);
      const access = watchAccess(context, () => requireRunnable(wanted, context));
      return streamRun((listening) => run(listening).finally(access.stop), access.signal);
    },
    resolve: (event) => event,
  }),
}));
