import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import { sendNodeResponse } from '@whatwg-node/server';

type Head = { status: number; headers: Record<string, string> };

/** An answer whose whole text is there already. */
export class TextResponse extends Response {
  readonly wholeText: string;
  readonly head: Head;

  constructor(text: string, { status, headers }: Head) {
    headers['content-length'] = String(Buffer.byteLength(text));
    super(text, { status, headers });
    this.wholeText = text;
    this.head = { status, headers };
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<Response> | Response;

/** Serves answers on node:http. A whole text leaves together with its head: the adapter's own way is two writes, and two packets. */
export const listenerOver =
  (answer: Answer): RequestListener =>
  (request, response) => {
    const send = async () => {
      const answered = await answer(request, response);
      if (!request.complete) response.once('finish', () => endRest(request));
      if (!(answered instanceof TextResponse)) return sendNodeResponse(answered, response, request, true);
      if (!response.destroyed) response.writeHead(answered.head.status, answered.head.headers).end(answered.wholeText);
    };
    send().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  };

const restTimeMs = 3_000;

/** Who is answered before its body is there may send the rest, but not for ever: nobody reads it, so nobody else would end it. */
function endRest(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), restTimeMs);
  request.once('close', () => clearTimeout(timer));
}
