import { Response } from '@whatwg-node/fetch';
import { prefers } from './accept.ts';

/**
 * An event that a server sends while it works on a request:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export type ServerSentEvent = { id?: string; name?: string; data: unknown };

export const eventText = ({ id, name, data }: ServerSentEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

export const acceptsEvents = (headers: Headers): boolean =>
  prefers(headers.get('accept'), 'text/event-stream', 'application/json');

type EventSource = {
  /**
   * Sends the next text, or some. Called again when the client has received it, until it returns
   * false for the end of the stream.
   */
  sendNext: (send: (text: string) => void) => Promise<boolean>;
  /** The client has disconnected. */
  cancel: () => unknown;
};

/** A comment line without meaning, so that proxies do not close the connection during long work. */
type Heartbeat = { comment: string; everyMs: number };

/** Sends server-sent events. */
export function eventStream(
  headers: Record<string, string>,
  { comment, everyMs }: Heartbeat,
  { sendNext, cancel }: EventSource,
): Response {
  const encoder = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(
        () => controller.enqueue(encoder.encode(`: ${comment}\n\n`)),
        everyMs,
      );
    },
    async pull(controller) {
      const send = (text: string) => {
        if (!isCancelled) controller.enqueue(encoder.encode(text));
      };
      if (await sendNext(send)) return;
      clearInterval(heartbeat);
      if (!isCancelled) controller.close();
    },
    async cancel() {
      isCancelled = true;
      clearInterval(heartbeat);
      await cancel();
    },
  });
  headers['content-type'] = 'text/event-stream; charset=utf-8';
  headers['cache-control'] = 'no-store';
  return new Response(body, { status: 200, headers });
}
