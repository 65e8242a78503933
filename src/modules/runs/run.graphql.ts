import type { Context } from '../../access/context.ts';
import { personOf } from '../../access/scopes.ts';
import { watchAccess } from '../../access/watch-access.ts';
import { builder } from '../../graph/schema/builder.ts';
import { integer } from '../../graph/schema/input-rules.ts';
import { type InputBuilder, mutation } from '../../graph/schema/mutation.ts';
import type { RestForm } from '../../graph/schema/rest-form.ts';
import type { Upload } from '../../http/upload.ts';
import { inputError } from '../../platform/errors.ts';
import { Assistant, temperatureRule } from '../assistants/assistant.graphql.ts';
import { requireRunnable } from '../assistants/require-assistant.ts';
import { type MessageInput, messagesFrom, toMessageInput } from './message-forms.ts';
import { RunOutputInput } from './output/output.graphql.ts';
import { isOutputSchema } from './output/output-schema.ts';
import { parseMessages } from './parse-messages.ts';
import { requireRun } from './require-run.ts';
import { prepareRun } from './run-assistant.ts';
import { AssistantRunEvent } from './run-event.graphql.ts';
import { runLimits } from './run-limits.ts';
import { RunMessageInput } from './run-message-input.graphql.ts';
import { RunResultType } from './run-result.graphql.ts';
import './services.ts';
import { streamRun } from './stream-run.ts';

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

export type RunArguments = {
  assistantId: string;
  messages: MessageInput[];
  files?: Upload[] | null | undefined;
  outputTokensMax?: number | null | undefined;
  temperature?: number | null | undefined;
  output?: { schema?: unknown } | null | undefined;
  conversationId?: string | null | undefined;
  parentMessageId?: string | null | undefined;
};

export const runInput = (
  {
    assistantId,
    messages,
    files,
    outputTokensMax,
    temperature,
    output,
    conversationId,
    parentMessageId,
  }: RunArguments,
  { viewer }: Context,
) => {
  if (parentMessageId != null && conversationId == null)
    throw inputError(
      'conversationId',
      'REQUIRED',
      'conversationId is required with parentMessageId',
    );
  const person = personOf(viewer);
  // The rule of the field has checked it.
  const schema = isOutputSchema(output?.schema) ? output.schema : undefined;
  return {
    assistantId,
    messages: messagesFrom(messages),
    files: files ?? [],
    outputTokensMax: outputTokensMax ?? undefined,
    temperature: temperature ?? undefined,
    output: schema === undefined ? undefined : { schema },
    conversation: conversationId == null ? undefined : { conversationId, parentMessageId },
    person,
    keyId: person.kind === 'USER_KEY' ? person.keyId : null,
  };
};

export const runFields = (t: InputBuilder) => ({
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
    description:
      'Files whose text is used in this run only, or stays with the question of a conversation. A GraphQL request can send 20 files, in the order of this list.',
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
  output: t.field({
    type: RunOutputInput,
    required: false,
    description:
      'Requests an answer that is a JSON value of a schema. Without it, the answer is a text.',
  }),
  conversationId: t.field({
    type: 'ID',
    required: false,
    description:
      'A conversation of the caller with the assistant, which gets the question, its files and the answer. The messages are then only the new ones, of the role user; the assistant reads the branch before them.',
  }),
  parentMessageId: t.field({
    type: 'ID',
    required: false,
    description:
      'With a conversationId: the answer that the question follows; null begins a new branch at the start. By default the last answer of the active branch. A second question after the same answer makes a branch.',
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

/** A run ends when the caller may no longer run the assistant. */
const watchRun = (input: ReturnType<typeof runInput>, context: Context) =>
  watchAccess(context, { person: true }, () => requireRunnable(input, context));

mutation('runAssistant', {
  description: 'Runs an assistant and returns its answer.',
  authScopes: { person: true },
  input: runFields,
  resolve: async (args, context) => {
    const input = runInput(args, context);
    const run = await prepareRun(input, context);
    const { signal, stop } = watchRun(input, context);
    return { run: await run({ signal }).finally(stop) };
  },
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
      const { signal, stop } = watchRun(input, context);
      return streamRun((listener) => run(listener).finally(stop), signal);
    },
    resolve: (event) => event,
  }),
}));
