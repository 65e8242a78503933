import { Response } from '@whatwg-node/fetch';
import type { ExecutionResult } from 'graphql';
import { prefers } from '../http/accept.ts';
import { bodyOf } from './respond.ts';

/** An event of a stream: its name and its data. */
export type StreamEvent = { name: string; data: Record<string, unknown> };

type StreamOptions = {
  headers: Record<string, string>;
  /** Formats an event. An event with an empty text is left out. */
  write: (event: StreamEvent) => string;
  /** Creates the last event of a stream that failed. */
  toErrorEvent: (error: unknown) => StreamEvent;
};

// Proxies close connections that are idle for a minute.
const heartbeatMs = 15_000;

export const acceptsEvents = (headers: Headers): boolean =>
  prefers(headers.get('accept'), 'text/event-stream', 'application/json');

/**
 * Sends the results of a subscription as server-sent events. If the client disconnects, the
 * subscription is cancelled.
 */
export function eventStream(
  results: AsyncIterable<ExecutionResult>,
  { headers, write, toErrorEvent }: StreamOptions,
): Response {
  const encoder = new TextEncoder();
  const iterator = results[Symbol.asyncIterator]();
  let heartbeat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(() => controller.enqueue(encoder.encode(': alive\n\n')), heartbeatMs);
    },
    async pull(controller) {
      try {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          const text = write(eventOf(next.value));
          if (text !== '') return controller.enqueue(encoder.encode(text));
        }
      } catch (error) {
        controller.enqueue(encoder.encode(write(toErrorEvent(error))));
      }
      clearInterval(heartbeat);
      controller.close();
    },
    async cancel() {
      clearInterval(heartbeat);
      await iterator.return?.();
    },
  });
  headers['content-type'] = 'text/event-stream; charset=utf-8';
  headers['cache-control'] = 'no-store';
  headers['x-accel-buffering'] = 'no';
  return new Response(body, { status: 200, headers });
}

/**
 * The name of an event comes from its type. An event with a result has the same body as the JSON
 * response.
 */
function eventOf({ data, errors }: ExecutionResult): StreamEvent {
  if (errors?.[0]) throw errors[0];
  const { __typename: type, ...fields } = Object(Object.values(data ?? {})[0]);
  return { name: nameOf(String(type)), data: bodyOf({}, fields) };
}

// `ToolCallEvent` becomes `tool-call`.
const nameOf = (type: string) =>
  type
    .replace(/Event$/, '')
    .replaceAll(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();

export const formatEvent = ({ name, data }: StreamEvent): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
