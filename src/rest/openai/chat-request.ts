import { z } from 'zod';
import { rejectUnsupported } from './chat-parameters.ts';
import { ChatRequestError } from './chat-request-error.ts';

const textPart = z.object({
  type: z.enum(['text', 'input_text', 'output_text']),
  text: z.string(),
});
const contentSchema = z.union(
  [z.string(), z.array(z.unknown()).max(1_000).pipe(z.array(textPart))],
  'must be a text or a list of texts',
);

const messageSchema = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.literal('system'), content: contentSchema }),
    z.object({ role: z.literal('developer'), content: contentSchema }),
    z.object({ role: z.literal('user'), content: contentSchema }),
    z.object({ role: z.literal('assistant'), content: contentSchema.nullish() }),
    z.object({ role: z.literal('tool'), content: contentSchema }),
  ],
  'must have a role of system, developer, user, assistant, tool',
);

const tokenLimitSchema = z
  .int('must be an integer of at least 1')
  .min(1, 'must be an integer of at least 1')
  .nullish();
const formatSchema = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text') }),
    z.object({ type: z.literal('json_object') }),
    z.object({
      type: z.literal('json_schema'),
      json_schema: z.object(
        {
          name: z
            .string('must be a string')
            .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -'),
          description: z.string('must be a string').nullish(),
          // `collectVariables` checks the schema itself.
          schema: z.looseObject({}, 'must be a JSON schema, an object').nullish(),
          // An answer that is not valid is never returned, with or without it.
          strict: z.boolean('must be true or false').nullish(),
        },
        'must be an object',
      ),
    }),
  ],
  'must have a type of text, json_object, json_schema',
);
const temperatureMessage = 'must be a number from 0 to 2';

const requestSchema = z.object({
  model: z.string({
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a string'),
  }),
  messages: z.array(z.unknown(), {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a list'),
  }),
  stream: z.boolean('must be true or false').nullish(),
  stream_options: z
    .object(
      {
        include_usage: z.boolean('must be true or false').nullish(),
        // OpenAI would add random characters to hide the lengths of the chunks from somebody who
        // observes the encrypted connection.
        include_obfuscation: z
          .literal(false, 'is not supported; leave it out, or send false')
          .nullish(),
      },
      'must be an object',
    )
    .nullish(),
  max_tokens: tokenLimitSchema,
  max_completion_tokens: tokenLimitSchema,
  temperature: z
    .number(temperatureMessage)
    .min(0, temperatureMessage)
    .max(2, temperatureMessage)
    .nullish(),
  response_format: formatSchema.nullish(),
});

/** The JSON schema of the request, for OpenAPI. Unknown fields are ignored. */
export const chatRequestSchema = (): Record<string, unknown> => {
  const { $schema: _, ...schema } = z.toJSONSchema(
    requestSchema.extend({
      messages: z.array(messageSchema.meta({ title: 'ChatMessage' })).min(1),
    }),
    {
      override: ({ jsonSchema }) => {
        delete jsonSchema.additionalProperties;
      },
    },
  );
  return schema;
};

/** The request of an OpenAI client, with the inputs of a run. */
export type ChatRequest = {
  assistantId: string;
  messages: { role: string; content: string }[];
  streams: boolean;
  includesUsage: boolean;
  outputTokensMax: number | undefined;
  temperature: number | undefined;
  output: { schema: object } | undefined;
};

/**
 * Parses the body. The assistant has its own tools, so the client's tool calls in the conversation
 * are left out. Fields that OpenAI does not have are ignored, like unknown fields in all calls
 * below /api.
 */
export function parseChatRequest(body: Record<string, unknown>): ChatRequest {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) throw errorOf(parsed.error.issues);
  rejectUnsupported(body);
  const {
    model,
    stream,
    stream_options: options,
    max_tokens: maxTokens,
    max_completion_tokens: maxCompletionTokens,
    temperature,
    response_format: format,
  } = parsed.data;
  if (typeof maxTokens === 'number' && typeof maxCompletionTokens === 'number')
    throw new ChatRequestError({
      message: 'max_tokens and max_completion_tokens must not both be sent',
      param: 'max_tokens',
    });
  if (options && stream !== true)
    throw new ChatRequestError({
      message: 'stream_options must not be sent unless stream is true',
      param: 'stream_options',
    });
  const messages = parseMessages(parsed.data.messages);
  return {
    assistantId: model,
    messages: messages.map(({ role, content: messageContent }) => {
      const text =
        typeof messageContent === 'string'
          ? messageContent
          : (messageContent ?? []).map((part) => part.text).join('\n');
      return { role: role === 'developer' ? 'system' : role, content: text };
    }),
    streams: stream === true,
    includesUsage: options?.include_usage === true,
    outputTokensMax: maxCompletionTokens ?? maxTokens ?? undefined,
    temperature: temperature ?? undefined,
    output: format ? outputOf(format) : undefined,
  };
}

/** The name and the description tell the model what the answer is, as those of a schema do. */
function outputOf(format: z.output<typeof formatSchema>): ChatRequest['output'] {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') return { schema: { type: 'object' } };
  const { name, description, schema } = format.json_schema;
  return {
    schema: { title: name, ...(typeof description === 'string' && { description }), ...schema },
  };
}

const faultsMax = 10;

/**
 * Parses the messages one after the other and stops at the tenth error: describing 400,000 invalid
 * messages would take seconds.
 */
function parseMessages(rawMessages: readonly unknown[]): z.output<typeof messageSchema>[] {
  const messages: z.output<typeof messageSchema>[] = [];
  const issues: z.core.$ZodIssue[] = [];
  for (const [index, item] of rawMessages.entries()) {
    const parsed = messageSchema.safeParse(item);
    if (parsed.success) messages.push(parsed.data);
    else
      issues.push(
        ...parsed.error.issues
          .slice(0, faultsMax)
          .map((issue) => ({ ...issue, path: ['messages', index, ...issue.path] })),
      );
    if (issues.length >= faultsMax) break;
  }
  if (issues.length > 0) throw errorOf(issues);
  return messages;
}

function errorOf(issues: readonly z.core.$ZodIssue[]): ChatRequestError {
  const faults = issues
    .slice(0, faultsMax)
    .map(({ path, message: fault }) => ({ param: paramName(path), fault }));
  return new ChatRequestError({
    message: faults.map(({ param, fault }) => `${param} ${fault}`).join('; '),
    param: faults[0]?.param ?? '',
  });
}

// The path in OpenAI's format, such as messages[0].content.
const paramName = (path: readonly PropertyKey[]): string =>
  path
    .map((key, depth) =>
      typeof key === 'number' ? `[${key}]` : `${depth > 0 ? '.' : ''}${String(key)}`,
    )
    .join('');
