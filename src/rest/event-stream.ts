import { Response } from '@whatwg-node/fetch';
import type { ExecutionResult } from 'graphql';
import { prefers } from '../platform/accept.ts';
import { bodyOf } from './respond.ts';

/** One event of a stream: its name and what it says. */
export type StreamEvent = { name: string; data: Record<string, unknown> };

type Stream = {
  headers: Record<string, string>;
  /** An event as text; an empty one is left out. */
  write: (event: StreamEvent) => string;
  /** The last event of a stream in which something went wrong. */
  refuse: (error: unknown) => StreamEvent;
};

// Proxies cut what is silent for a minute.
const aliveEveryMs = 15_000;

export const acceptsEvents = (headers: Headers): boolean =>
  prefers(headers.get('accept'), 'text/event-stream', 'application/json');

/**
 * The results of a subscription as server-sent events. Whoever reads no further ends the work
 * behind it.
 */
export function eventStream(
  results: AsyncIterable<ExecutionResult>,
  { headers, write, refuse }: Stream,
): Response {
  const encoder = new TextEncoder();
  const iterator = results[Symbol.asyncIterator]();
  let alive: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      alive = setInterval(() => controller.enqueue(encoder.encode(': alive\n\n')), aliveEveryMs);
    },
    async pull(controller) {
      try {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          const text = write(eventOf(next.value));
          if (text !== '') return controller.enqueue(encoder.encode(text));
        }
      } catch (error) {
        controller.enqueue(encoder.encode(write(refuse(error))));
      }
      clearInterval(alive);
      controller.close();
    },
    async cancel() {
      clearInterval(alive);
      await iterator.return?.();
    },
  });
  headers['content-type'] = 'text/event-stream; charset=utf-8';
  headers['cache-control'] = 'no-store';
  headers['x-accel-buffering'] = 'no';
  return new Response(body, { status: 200, headers });
}

/**
 * An event is named after its type, and one that holds a result has the body of the plain answer.
 */
function eventOf({ data, errors }: ExecutionResult): StreamEvent {
  if (errors?.[0]) throw errors[0];
  const { __typename: type, ...fields } = Object(Object.values(data ?? {})[0]);
  return { name: nameOf(String(type)), data: bodyOf({}, fields) };
}

// ToolCallEvent is told as tool-call.
const nameOf = (type: string) =>
  type
    .replace(/Event$/, '')
    .replaceAll(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();

export const asText = ({ name, data }: StreamEvent): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
