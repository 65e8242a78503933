import { Response } from '@whatwg-node/fetch';
import { prefers } from '../../platform/accept.ts';
import { AppError, errorCatalogue } from '../../platform/errors.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import type { RequestContext } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import { jsonAnswer, refusalAnswer } from '../answer.ts';
import { clientAbort } from '../client-abort.ts';
import { ExtractError } from '../extract/extract-error.ts';
import { eventText, keepAliveText, type ServerSentEvent } from '../server-sent-events.ts';
import type { Received, WorkDirectory } from './work-directory.ts';

const keepAliveMs = 10_000;
const tryAgainSeconds = '15';

type Parts = { work: WorkDirectory; queue: FairQueue; log: Log };
type Tell = (event: ServerSentEvent) => void;
type Work = (file: Received, signal: AbortSignal, tell: Tell) => Promise<object>;

/**
 * Takes a file in, waits until there is room to work on it, and answers what came of it. Whoever
 * asks for events hears of it on the way, once the whole file has come. When the sender is gone
 * everything ends; nothing is left behind.
 */
export async function answerUpload(
  request: Request,
  requestContext: RequestContext,
  { work, queue, log }: Parts,
  process: Work,
): Promise<Response> {
  const gone = clientAbort(request);
  const { signal } = gone;
  let file: Received | undefined;
  const ticket = joined(queue, request, requestContext);
  const leave = async () => {
    await file?.remove();
    ticket.leave();
  };
  try {
    const received = await work.receive({ headers: request.headers, body: request.body, signal });
    file = received;
    const outcome = async (tell: Tell) => {
      try {
        await ticket.turn(signal, (ahead) => tell({ name: 'waiting', data: { ahead } }));
        return await process(received, signal, tell);
      } finally {
        await leave();
      }
    };
    if (asksForEvents(request)) return eventsOf(outcome, gone, requestContext, log);
    return jsonAnswer(200, await outcome(() => {}), requestContext.headers);
  } catch (error) {
    if (!file) await leave();
    if (error instanceof ExtractError)
      return jsonAnswer(
        422,
        { status: 'error', code: error.code, message: error.message },
        requestContext.headers,
      );
    if (error instanceof AppError && error.code === 'UNAVAILABLE')
      requestContext.headers['retry-after'] = tryAgainSeconds;
    return refusalAnswer(error, request, requestContext, log);
  }
}

/** The API names the tenant of a file in this header; calls without it share one queue. */
export const tenantHeader = 'x-tenant';

function joined(queue: FairQueue, request: Request, { headers }: RequestContext) {
  try {
    return queue.join(request.headers.get(tenantHeader) ?? '');
  } catch (error) {
    headers['retry-after'] = tryAgainSeconds;
    throw error;
  }
}

const asksForEvents = ({ headers }: Request): boolean =>
  prefers(headers.get('accept'), 'text/event-stream', 'application/json');

function eventsOf(
  outcome: (tell: Tell) => Promise<object>,
  gone: AbortController,
  requestContext: RequestContext,
  log: Log,
): Response {
  const { signal } = gone;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const say = (text: string) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const timer = setInterval(() => say(keepAliveText), keepAliveMs);
      try {
        const done = await outcome((event) => say(eventText(event)));
        say(eventText({ name: 'done', data: done }));
      } catch (error) {
        say(eventText({ name: 'failed', data: failureOf(error, requestContext, signal, log) }));
      } finally {
        clearInterval(timer);
        if (!signal.aborted) controller.close();
      }
    },
    cancel: () => gone.abort(),
  });
  return new Response(body, {
    headers: {
      ...requestContext.headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    },
  });
}

function failureOf(
  error: unknown,
  { requestId }: RequestContext,
  signal: AbortSignal,
  log: Log,
): { code: string; message: string } {
  if (error instanceof ExtractError) return { code: error.code, message: error.message };
  if (error instanceof AppError && errorCatalogue[error.code].status !== 500)
    return { code: error.code, message: error.message };
  if (!signal.aborted) log.error({ requestId, err: error }, 'a file could not be taken in');
  return { code: 'INTERNAL', message: `Internal error; request id ${requestId}` };
}
