import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import { sendNodeResponse } from '@whatwg-node/server';
import { answerBeforeBody, discardRest } from './lingering-close.ts';

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

/**
 * Serves answers on node:http. A whole text leaves together with its head: the adapter's own way is
 * two writes, and two packets.
 */
export const listenerOver =
  (answer: Answer): RequestListener =>
  (request, response) => {
    const send = async () => {
      const answered = await answer(request, response);
      // A body that came in one packet with its head is there after this turn of the event loop,
      // and the connection can stay open.
      if (!request.complete) await new Promise(setImmediate);
      if (response.destroyed || response.headersSent) return;
      if (!request.complete) return await sendBeforeBody(answered, request, response);
      if (!(answered instanceof TextResponse))
        return await sendNodeResponse(answered, response, request, true);
      response.writeHead(answered.head.status, answered.head.headers).end(answered.wholeText);
    };
    send().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  };

async function sendBeforeBody(
  answered: Response,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (answered instanceof TextResponse)
    return answerBeforeBody(request, response, { ...answered.head, text: answered.wholeText });
  if (answered.status >= 400) {
    const headers = { ...Object.fromEntries(answered.headers), ...setCookiesOf(answered.headers) };
    return answerBeforeBody(request, response, {
      status: answered.status,
      headers,
      text: await answered.text(),
    });
  }
  // A stream, such as a download, to a client that sends a body which the call does not read to its
  // end.
  discardRest(request);
  response.once('finish', () => limitRest(request));
  await sendNodeResponse(answered, response, request, true);
}

const setCookiesOf = (headers: Headers): Record<string, string[]> => {
  const cookies = headers.getSetCookie();
  return cookies.length > 0 ? { 'set-cookie': cookies } : {};
};

const restTimeMs = 3_000;

/** The connection stays for the next request only when the body ends soon. */
function limitRest(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), restTimeMs);
  request.once('close', () => clearTimeout(timer));
}
