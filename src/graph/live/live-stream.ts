import { eventStream } from '../../http/event-stream.ts';
import type { LiveReader } from './live-query.ts';

/** GraphQL over SSE, distinct connections mode. */
const nextEvent = (json: string) => `event: next\ndata: ${json}\n\n`;
const completeEvent = 'event: complete\ndata:\n\n';

// Proxies close connections that are idle for a minute.
const heartbeat = { comment: 'alive', everyMs: 15_000 };

/**
 * A reader that sends results as server-sent events. It keeps one result at most: while a client is
 * slower than the changes, it misses the results in between.
 */
export function createLiveStream({
  signal,
  toErrorText,
}: {
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  toErrorText: (reason: Error) => string;
}) {
  let waiting: string | undefined;
  let ending: { reason: Error | undefined } | undefined;
  let arrived = Promise.withResolvers<void>();
  let isClosed = false;
  let leave: (() => void) | undefined;

  function close(): void {
    isClosed = true;
    signal.removeEventListener('abort', close);
    arrived.resolve();
    leave?.();
    leave = undefined;
  }

  const reader: LiveReader = {
    show(text) {
      waiting = text;
      arrived.resolve();
    },
    end(reason) {
      ending ??= { reason };
      close();
    },
  };

  async function sendNext(send: (text: string) => void): Promise<boolean> {
    await arrived.promise;
    // Once the access has ended, what was waiting may no longer be shown.
    const result = ending?.reason ? toErrorText(ending.reason) : waiting;
    waiting = undefined;
    if (!isClosed) arrived = Promise.withResolvers();
    const last = isClosed ? completeEvent : '';
    send(`${result === undefined ? '' : nextEvent(result)}${last}`);
    return !isClosed;
  }

  return {
    reader,
    /** Starts the stream. `leaveQuery` is called when it has ended or the client has disconnected. */
    respond(headers: Record<string, string>, leaveQuery: () => void): Response {
      leave = leaveQuery;
      headers['x-accel-buffering'] = 'no';
      const response = eventStream(headers, heartbeat, { sendNext, cancel: close });
      if (signal.aborted || isClosed) close();
      else signal.addEventListener('abort', close, { once: true });
      return response;
    },
  };
}
