import { type ErrorCode, errorCatalogue } from '../../platform/errors.ts';
import { unsupportedParameters } from '../openai/chat-parameters.ts';
import { chatRequestSchema } from '../openai/chat-request.ts';
import type { ApiArea } from '../route-definition.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiMediaType,
  OpenApiOperation,
  OpenApiParameter,
} from './document.ts';
import { headersOfExhausted, headersOfRun, headersOfStatus } from './headers.ts';
import { recordedCall, recordedError } from './recorded-examples.ts';
import { objectSchema as object } from './response-schema.ts';
import { securityOf } from './security.ts';

const prefix = '/api/openai/v1';
const area = { key: 'USER_KEY' } satisfies Pick<ApiArea, 'key'>;

export const openAiTag = {
  name: 'OpenAI',
  description:
    'For clients of OpenAI’s API: each assistant is a model. The errors have the form that these clients expect.',
};

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };
const only = (value: string): JsonSchema => ({ type: 'string', const: value });
const named = (title: string, schema: JsonSchema): JsonSchema => ({ title, ...schema });

const model = named(
  'Model',
  object({
    id: { ...text, description: 'The id of the assistant.' },
    object: only('model'),
    created: { ...integer, description: 'The time of its creation, as Unix time in seconds.' },
    owned_by: text,
    name: { ...text, description: 'The name of the assistant.' },
  }),
);
const chatError = named(
  'ChatError',
  object({
    error: object({
      message: text,
      type: { type: 'string', enum: ['invalid_request_error', 'rate_limit_error', 'server_error'] },
      param: { type: ['string', 'null'], description: 'The invalid parameter of the request.' },
      code: text,
    }),
  }),
);
const usage = named(
  'ChatUsage',
  object({ prompt_tokens: integer, completion_tokens: integer, total_tokens: integer }),
);
const finishReasons = ['stop', 'length', 'content_filter'];
const head = { id: text, created: integer, model: text };

function completionSchemas(citations: Record<string, JsonSchema>) {
  const completion = object({
    ...head,
    object: only('chat.completion'),
    choices: {
      type: 'array',
      items: object({
        index: integer,
        message: object({
          role: only('assistant'),
          content: text,
          refusal: { type: 'null' },
        }),
        logprobs: { type: 'null' },
        finish_reason: { type: 'string', enum: finishReasons },
      }),
    },
    usage,
    ...citations,
  });
  const delta: JsonSchema = {
    type: 'object',
    properties: { role: only('assistant'), content: text, reasoning_content: text },
  };
  const chunk: JsonSchema = {
    ...object({
      ...head,
      object: only('chat.completion.chunk'),
      choices: {
        type: 'array',
        items: object({
          index: integer,
          delta,
          logprobs: { type: 'null' },
          finish_reason: { anyOf: [{ type: 'string', enum: finishReasons }, { type: 'null' }] },
        }),
      },
    }),
  };
  chunk.properties = { ...chunk.properties, ...citations, usage };
  return {
    completion: named('ChatCompletion', completion),
    event: named('ChatCompletionEvent', {
      description:
        'The data of one event: a chunk, or an error that ends the stream. The last data is the text [DONE].',
      anyOf: [named('ChatCompletionChunk', chunk), chatError, only('[DONE]')],
    }),
  };
}

type OpenAiCall = {
  method: 'GET' | 'POST';
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  errors: readonly ErrorCode[];
  parameters?: OpenApiParameter[];
  request?: OpenApiMediaType;
  answer: Record<string, OpenApiMediaType>;
};

const commonErrors = ['UNAUTHENTICATED', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'] as const;

/** The calls of /api/openai/v1, by path and method. `citations` are the fields of a run. */
export function openAiPaths(citations: Record<string, JsonSchema>): OpenApiDocument['paths'] {
  const { completion, event } = completionSchemas(citations);
  const answerOf = (path: string) => recordedCall({ method: 'GET', path: prefix + path })?.answer;
  const completionPath = `${prefix}/chat/completions`;
  const recorded = recordedCall({ method: 'POST', path: completionPath });
  const calls: OpenAiCall[] = [
    {
      method: 'GET',
      path: '/models',
      operationId: 'ListModels',
      summary: 'Lists the assistants that the owner of the key may run, as models',
      errors: commonErrors,
      answer: json(
        named('ModelList', object({ object: only('list'), data: { type: 'array', items: model } })),
        answerOf('/models'),
      ),
    },
    {
      method: 'GET',
      path: '/models/:model',
      operationId: 'GetModel',
      summary: 'Returns an assistant as a model',
      errors: [...commonErrors, 'NOT_FOUND'],
      parameters: [
        {
          name: 'model',
          in: 'path',
          required: true,
          description: 'The id of the assistant.',
          schema: text,
          example: Object(answerOf('/models/:model')).id,
        },
      ],
      answer: json(model, answerOf('/models/:model')),
    },
    {
      method: 'POST',
      path: '/chat/completions',
      operationId: 'CreateChatCompletion',
      summary: 'Runs an assistant, and answers in the form of a chat completion',
      description: `Runs an assistant, and answers in the form of a chat completion. These parameters are refused with a value other than OpenAI’s default: ${unsupportedParameters.join(', ')}.`,
      errors: [
        ...commonErrors,
        'BAD_INPUT',
        'NOT_FOUND',
        'REQUEST_TIMEOUT',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'PROVIDER_FAILED',
        'OUTPUT_INVALID',
        'PROVIDER_LATE',
      ],
      request: {
        schema: named('ChatCompletionRequest', chatRequestSchema()),
        example: recorded && requestOf(recorded.variables),
      },
      answer: {
        ...json(completion, recorded?.answer),
        'text/event-stream': { schema: event },
      },
    },
  ];
  return Object.fromEntries(
    calls.map((call) => [
      prefix + call.path.replace(/:(\w+)/, '{$1}'),
      { [call.method.toLowerCase()]: operationOf(call) },
    ]),
  );
}

const json = (schema: JsonSchema, example: unknown): Record<string, OpenApiMediaType> => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

const requestOf = ({ assistantId, outputTokensMax, ...more }: Record<string, unknown>) => ({
  model: assistantId,
  max_tokens: outputTokensMax,
  ...more,
});

function operationOf(call: OpenAiCall): OpenApiOperation {
  const { operationId, summary, description, parameters = [], request, answer, errors } = call;
  const path = prefix + call.path;
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [openAiTag.name],
    security: securityOf(area),
    parameters,
    ...(request && { requestBody: { required: true, content: { 'application/json': request } } }),
    responses: {
      200: {
        description: 'Success',
        headers: { ...headersOfStatus(200), ...(request && headersOfRun()) },
        content: answer,
      },
      ...Object.fromEntries(
        errors.map((code) => {
          const { status, meaning } = errorCatalogue[code];
          const body = recordedError(code, { method: call.method, path });
          return [
            status,
            {
              description: meaning.charAt(0).toUpperCase() + meaning.slice(1),
              headers: status === 429 && request ? headersOfExhausted() : headersOfStatus(status),
              content: json(chatError, chatErrorOf(body)),
            },
          ];
        }),
      ),
      ...errorsBeforeCall,
    },
  };
}

/** Requests with these errors are refused before their path is read, in the form of all calls. */
const errorsBeforeCall = Object.fromEntries(
  (['EXPECTATION_FAILED', 'HEADERS_TOO_LARGE'] as const).map((code) => [
    errorCatalogue[code].status,
    { $ref: `#/components/responses/${code}` },
  ]),
);

/** An error that another call has answered has the form of that call. */
const chatErrorOf = (body: unknown): unknown => (Object(body).error ? body : undefined);
