import type { EventEmitter } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import { sendNodeResponse } from '@whatwg-node/server';
import { answerBeforeBody, discardRest } from './lingering-close.ts';

type ResponseHead = { status: number; headers: Record<string, string> };

export type CompressedText = Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>;

/** The compressed forms of a text that never changes, by coding. */
export type CompressedForms = Map<string, CompressedText>;

/** A response whose complete text, or its compressed form, is already known. */
export class TextResponse extends Response {
  readonly content: string | Buffer<ArrayBuffer>;
  readonly head: ResponseHead;
  /** Keeps the compressed forms for the next response with the same text. */
  readonly compressedForms: CompressedForms | undefined;

  constructor(
    content: string | Buffer<ArrayBuffer>,
    { status, headers }: ResponseHead,
    compressedForms?: CompressedForms,
  ) {
    headers['content-length'] = String(Buffer.byteLength(content));
    super(content, { status, headers });
    this.content = content;
    this.head = { status, headers };
    this.compressedForms = compressedForms;
  }
}

type RespondToRequest = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<Response> | Response;

/**
 * Serves responses on node:http. A TextResponse is written together with its head in one packet;
 * the adapter would use two writes and two packets.
 */
export const createListener =
  (respond: RespondToRequest): RequestListener =>
  (request, response) => {
    const send = async () => {
      const result = await respond(request, response);
      // A body that arrived in the same packet as its head is complete after this turn of the event
      // loop, and then the connection can stay open.
      if (!request.complete) await new Promise(setImmediate);
      // Nobody reads the body, and its source may hold a file, a transaction or a timer.
      if (response.destroyed || response.headersSent) return await result.body?.cancel();
      if (!request.complete) return await sendBeforeBodyEnds(result, request, response);
      if (!(result instanceof TextResponse)) return await sendStream(result, request, response);
      response.writeHead(result.head.status, result.head.headers).end(result.content);
    };
    send().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  };

async function sendBeforeBodyEnds(
  result: Response,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (result instanceof TextResponse)
    return answerBeforeBody(request, response, { ...result.head, content: result.content });
  if (result.status >= 400) {
    const headers = { ...Object.fromEntries(result.headers), ...setCookiesOf(result.headers) };
    return answerBeforeBody(request, response, {
      status: result.status,
      headers,
      content: await result.text(),
    });
  }
  // A streamed response, such as a download, to a client whose request body is not read to its end.
  discardRest(request);
  response.once('finish', () => limitRemainingBody(request));
  await sendStream(result, request, response);
}

/**
 * A body that fails breaks the connection off, so that the client does not take a part for the
 * whole. The adapter does not listen for errors of the body, and Node would end the process.
 */
async function sendStream(
  result: Response,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body: unknown = result.body;
  if (isEmitter(body)) body.on('error', () => response.destroy());
  await sendNodeResponse(result, response, request, true);
}

const isEmitter = (body: unknown): body is Pick<EventEmitter, 'on'> =>
  typeof Object(body).on === 'function';

const setCookiesOf = (headers: Headers): Record<string, string[]> => {
  const cookies = headers.getSetCookie();
  return cookies.length > 0 ? { 'set-cookie': cookies } : {};
};

const remainingBodyMs = 3_000;

/** The connection is reused for the next request only if the rest of the body arrives soon. */
function limitRemainingBody(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), remainingBodyMs);
  request.once('close', () => clearTimeout(timer));
}
