import { type ExecutionResult, print, subscribe } from 'graphql';
import { serverSentEvents } from '../../../src/console/web/assistants/chat/server-sent-events.ts';
import { subscriptionStream } from '../../../src/rest/subscription-stream.ts';
import { schema } from '../../../src/schema.ts';
import { type CallStream, graphVariables } from './calls.ts';
import {
  graphOutcome,
  graphRequest,
  type Outcome,
  outcomeOf,
  restOutcome,
  type SampleRequest,
  withUploads,
} from './send.ts';

export type StreamRequest = SampleRequest & { stream: CallStream };

/** Sends the call with `Accept: text/event-stream`. */
export async function sendStreamedCall(request: StreamRequest): Promise<Outcome> {
  const { app, stream, sender, variables } = request;
  const { method, path, headers, body = null } = stream.requestWith(variables);
  const accept = 'text/event-stream';
  const response = await fetch(app.url + path, {
    method,
    headers: { ...sender.headers, ...headers, accept },
    body,
  });
  return restOutcome(response);
}

/** Sends the subscription of the call to /graphql, and writes its events as the call does. */
export async function sendSubscription(request: StreamRequest): Promise<Outcome> {
  const { app, stream, sender, variables } = request;
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    ...graphRequest(
      { query: print(stream.document), variables: graphVariables(request.call, variables) },
      { ...sender.headers, accept: 'text/event-stream' },
    ),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream || !response.body) return graphOutcome(await response.json());
  const results: ExecutionResult[] = [];
  for await (const events of serverSentEvents(response.body))
    for (const { name, data } of events) if (name === 'next') results.push(JSON.parse(data));
  if (results[0]?.errors) return graphOutcome(JSON.parse(JSON.stringify(results[0])));
  return { body: await eventsText(request, iterate(results)) };
}

/** Runs the subscription of the call by GraphQL.js, and writes its events as the call does. */
export async function subscribePlainly(request: StreamRequest): Promise<Outcome> {
  const { app, stream, sender, variables } = request;
  const results = await subscribe({
    schema,
    document: stream.document,
    contextValue: app.contextOf(sender),
    variableValues: withUploads(graphVariables(request.call, variables)),
  });
  if (!(Symbol.asyncIterator in results)) return outcomeOf(results, request);
  return { body: await eventsText(request, results) };
}

async function* iterate(results: readonly ExecutionResult[]): AsyncGenerator<ExecutionResult> {
  yield* results;
}

async function* renamed(
  results: AsyncIterable<ExecutionResult>,
  { renameValues }: CallStream,
): AsyncGenerator<ExecutionResult> {
  for await (const result of results) {
    if (result.data) renameValues?.(result.data);
    yield result;
  }
}

const eventsText = (
  { app, stream, variables }: StreamRequest,
  results: AsyncIterable<ExecutionResult>,
): Promise<string> =>
  subscriptionStream(renamed(results, stream), {
    headers: {},
    write: stream.writerFor({ variables, at: app.contextParts.clock() }),
    toErrorEvent: (error) => {
      throw error;
    },
  }).text();
