import { randomUUID } from 'node:crypto';
import type { DocumentNode } from 'graphql';
import { createExecutor } from '../../../src/graph/execute/execute.ts';
import { eventText } from '../../../src/http/event-stream.ts';
import { createRouter } from '../../../src/http/router.ts';
import { toRest } from '../../../src/rest/enum-names.ts';
import { takesIdempotencyKey } from '../../../src/rest/idempotency-key.ts';
import { loadRoutes, type Route } from '../../../src/rest/load-routes.ts';
import { chatChunks, chatCompletion } from '../../../src/rest/openai/chat-answer.ts';
import { openAiOperations } from '../../../src/rest/openai/operations.ts';
import { type LoadedOperation, loadOperation } from '../../../src/rest/operation.ts';
import { readOperation } from '../../../src/rest/read-operation.ts';
import type { RenameValues } from '../../../src/rest/rename-values.ts';
import { bodyOf } from '../../../src/rest/respond.ts';
import { areas } from '../../../src/rest/routes.ts';
import type { StreamEvent } from '../../../src/rest/subscription-stream.ts';
import { headerVariables, locationOf } from '../../../src/rest/variables.ts';
import { schema } from '../../../src/schema.ts';

export type Variables = Record<string, unknown>;
export type HttpRequest = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | FormData;
};

/** A call outside of GraphQL, and the operation that it executes. */
export type Call = {
  /** The method and the path with its prefix. */
  name: string;
  operation: LoadedOperation;
  /** The request with these variables of the operation. */
  requestWith: (variables: Variables) => HttpRequest;
  /** The body of the answer for the data of the operation. */
  bodyFor: (data: Variables, request: { variables: Variables; at: Date }) => unknown;
  /** Whether it takes an Idempotency-Key. */
  takesKey: boolean;
  /** The events that it sends to a client that accepts them. */
  stream?: CallStream;
};

/** A call that is answered with events, and the subscription that it runs. */
export type CallStream = {
  document: DocumentNode;
  renameValues: RenameValues | undefined;
  requestWith: (variables: Variables) => HttpRequest;
  writerFor: (request: { variables: Variables; at: Date }) => (event: StreamEvent) => string;
};

export const executor = createExecutor(schema);
const router = createRouter(loadRoutes(executor, areas));

/** Every row of the table of calls. */
const tableCalls: readonly Call[] = router.routes.map((route) => ({
  name: `${route.method} ${route.path}`,
  operation: route.operation,
  requestWith: (variables) => requestOf(route, variables),
  bodyFor: (data) => {
    route.operation.renameValues?.(data);
    return bodyOf(route.area.envelope, data);
  },
  takesKey: takesIdempotencyKey(route),
  ...(route.definition.stream !== undefined && {
    stream: {
      document: readOperation(route.definition.stream).document,
      renameValues: route.subscription?.renameValues,
      requestWith: (variables) => requestOf(route, variables),
      writerFor: () => eventText,
    },
  }),
}));

const openAi = '/api/openai/v1';
const models = loadOperation(executor, openAiOperations.models);
const content = router.match('GET', '/api/assistant-files/v1/assistants/a/files/f/content');

/** The calls outside of the table that execute an operation. */
const otherCalls: readonly Call[] = [
  {
    name: `GET ${openAi}/models`,
    operation: models,
    requestWith: () => ({ method: 'GET', path: `${openAi}/models` }),
    bodyFor: (data) => ({ object: 'list', data: modelsIn(data) }),
    takesKey: false,
  },
  {
    name: `GET ${openAi}/models/:model`,
    operation: models,
    requestWith: ({ model }) => ({ method: 'GET', path: `${openAi}/models/${model}` }),
    bodyFor: (data) => modelsIn(data)[0],
    takesKey: false,
  },
  {
    name: `POST ${openAi}/chat/completions`,
    operation: loadOperation(executor, openAiOperations.completion),
    requestWith: (variables) => completionRequest(variables, {}),
    bodyFor: (data, request) => chatCompletion(completionInfoOf(request), bodyOf({}, data)),
    takesKey: false,
    stream: {
      document: readOperation(openAiOperations.stream).document,
      renameValues: undefined,
      requestWith: (variables) =>
        completionRequest(variables, { stream: true, stream_options: { include_usage: true } }),
      writerFor: (request) => chatChunks(completionInfoOf(request), { includesUsage: true }),
    },
  },
  {
    name: 'GET /files/:assistantId/:documentId',
    operation: content.route.operation,
    requestWith: ({ assistantId, documentId }) => ({
      method: 'GET',
      path: `/files/${assistantId}/${documentId}`,
    }),
    bodyFor: (data) => data,
    takesKey: false,
  },
];

const completionRequest = (
  { assistantId: model, outputTokensMax: max_tokens, ...body }: Variables,
  more: object,
): HttpRequest => ({
  method: 'POST',
  path: `${openAi}/chat/completions`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model, max_tokens, ...body, ...more }),
});

const completionInfoOf = ({ variables, at }: { variables: Variables; at: Date }) => ({
  id: `chatcmpl-${randomUUID()}`,
  created: Math.floor(at.getTime() / 1000),
  model: String(variables['assistantId']),
});

function modelsIn({ result }: Variables) {
  const { nodes }: { nodes?: unknown } = Object(result);
  return (Array.isArray(nodes) ? nodes : []).map(({ id, name, createdAt }) => ({
    id,
    object: 'model',
    created: Math.floor(Date.parse(JSON.parse(JSON.stringify(createdAt))) / 1000),
    owned_by: 'atrium',
    name,
  }));
}

/** The variables as a client of the graph sends them. Invalid values stay as they are. */
export const graphVariables = ({ operation }: Call, variables: Variables): Variables => ({
  ...variables,
  ...Object.fromEntries(
    operation.variables.flatMap(({ name, argument }) => {
      const { restForm } = argument?.extensions ?? {};
      if (!restForm || variables[name] === undefined) return [];
      try {
        return [[name, restForm.parse(variables[name])]];
      } catch {
        return [];
      }
    }),
  ),
});

/** The row of the table of calls; undefined for a call outside of it. */
export const routeOf = ({ name }: Pick<Call, 'name'>): Route | undefined =>
  router.routes.find(({ method, path }) => `${method} ${path}` === name);

export const calls: readonly Call[] = [...tableCalls, ...otherCalls];

function requestOf(route: Route, variables: Variables): HttpRequest {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const fields: [string, unknown][] = [];
  let { path } = route;
  for (const [name, value] of Object.entries(variables)) {
    const location = locationOf({ route }, name);
    if (location === 'path') path = path.replace(`:${name}`, encodeURIComponent(String(value)));
    else if (location === 'query') query.set(name, String(toRest(typeOf(route, name), value)));
    else if (location === 'header') headers[headerVariables[name] ?? name] = String(value);
    else fields.push([name, value]);
  }
  const { method } = route;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return {
    method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers,
    ...(hasBody && bodyWith(fields, headers)),
  };
}

function typeOf({ operation }: Route, name: string) {
  const variable = operation.variables.find((one) => one.name === name);
  if (!variable) throw new Error(`${operation.name} has no variable ${name}`);
  return variable.type;
}

/** A form if a field is a file, otherwise JSON. */
function bodyWith(
  fields: readonly [string, unknown][],
  headers: Record<string, string>,
): Pick<HttpRequest, 'body'> {
  if (fields.every(([, value]) => filesIn(value).length === 0)) {
    headers['content-type'] = 'application/json';
    return { body: JSON.stringify(Object.fromEntries(fields)) };
  }
  const form = new FormData();
  for (const [name, value] of fields) {
    const files = filesIn(value);
    for (const file of files) form.append(name, file);
    if (files.length === 0)
      form.append(name, new Blob([JSON.stringify(value)], { type: 'application/json' }));
  }
  return { body: form };
}

export const filesIn = (value: unknown): File[] =>
  [value].flat().filter((item) => item instanceof File);
