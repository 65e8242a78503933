import type { ExecutionResult } from 'graphql';
import { eventStream } from '../http/event-stream.ts';
import { memberNameOf } from './enum-names.ts';
import { bodyOf } from './respond.ts';

/** An event of a stream: its name and its data, and its id if a reader can come back to it. */
export type StreamEvent = { id?: string; name: string; data: Record<string, unknown> };

type StreamOptions = {
  headers: Record<string, string>;
  /** Formats an event. An event with an empty text is left out. */
  write: (event: StreamEvent) => string;
  /** Creates the last event of a stream that failed. */
  toErrorEvent: (error: unknown) => StreamEvent;
};

// Proxies close connections that are idle for a minute.
const heartbeat = { comment: 'alive', everyMs: 15_000 };

/**
 * Sends the results of a subscription as server-sent events. If the client disconnects, the
 * subscription is cancelled.
 */
export function subscriptionStream(
  results: AsyncIterable<ExecutionResult>,
  { headers, write, toErrorEvent }: StreamOptions,
): Response {
  const iterator = results[Symbol.asyncIterator]();
  headers['x-accel-buffering'] = 'no';
  return eventStream(headers, heartbeat, {
    async sendNext(send) {
      try {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          const text = write(eventOf(next.value));
          if (text === '') continue;
          send(text);
          return true;
        }
      } catch (error) {
        send(write(toErrorEvent(error)));
      }
      return false;
    },
    cancel: () => iterator.return?.(),
  });
}

/**
 * The name of an event comes from its type. An event with a result has the same body as the JSON
 * response.
 */
function eventOf({ data, errors }: ExecutionResult): StreamEvent {
  if (errors?.[0]) throw errors[0];
  const { __typename: type, sequence, ...fields } = Object(Object.values(data ?? {})[0]);
  return {
    ...(typeof sequence === 'number' && { id: String(sequence) }),
    name: memberNameOf(String(type)),
    data: bodyOf({}, fields),
  };
}
