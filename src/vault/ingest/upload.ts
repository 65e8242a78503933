import {
  acceptsEvents,
  eventStream,
  eventText,
  type ServerSentEvent,
} from '../../http/event-stream.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { AppError, errorCatalogue } from '../../platform/errors.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log.ts';
import { jsonAnswer } from '../answer.ts';
import { clientAbort } from '../client-abort.ts';
import { ExtractError } from '../extract/extract-error.ts';
import type { ReceivedFile, WorkDirectory } from './work-directory.ts';

const heartbeat = { comment: 'working', everyMs: 10_000 };
const retryAfterSeconds = '15';

type UploadDependencies = { workDirectory: WorkDirectory; queue: FairQueue; log: Log };
type SendEvent = (event: ServerSentEvent) => void;
type ProcessFile = (
  file: ReceivedFile,
  signal: AbortSignal,
  sendEvent: SendEvent,
) => Promise<object>;

/**
 * Receives a file, waits for its turn in the queue, and answers with the result of `processFile`. A
 * client that accepts events gets progress after the whole file has arrived. If the client
 * disconnects, the work stops and the file is removed.
 */
export async function answerUpload(
  request: Request,
  requestContext: RequestContext,
  { workDirectory, queue, log }: UploadDependencies,
  processFile: ProcessFile,
): Promise<Response> {
  const abortController = clientAbort(request);
  const { signal } = abortController;
  let file: ReceivedFile | undefined;
  const ticket = joinQueue(queue, request, requestContext);
  const release = async () => {
    await file?.remove();
    ticket.leave();
  };
  try {
    const received = await workDirectory.receive({
      headers: request.headers,
      body: request.body,
      signal,
    });
    file = received;
    const runJob = async (sendEvent: SendEvent) => {
      try {
        await ticket.turn(signal, (ahead) => sendEvent({ name: 'waiting', data: { ahead } }));
        return await processFile(received, signal, sendEvent);
      } finally {
        await release();
      }
    };
    if (acceptsEvents(request.headers))
      return eventStreamOf(runJob, abortController, requestContext, log);
    return jsonAnswer(200, await runJob(() => {}), requestContext.headers);
  } catch (error) {
    if (!file) await release();
    if (error instanceof ExtractError)
      throw new AppError<string>('UNREADABLE_DOCUMENT', error.message, error.code);
    if (error instanceof AppError && error.code === 'UNAVAILABLE')
      requestContext.headers['retry-after'] = retryAfterSeconds;
    throw error;
  }
}

/** The API sends the tenant of a file in this header. Requests without it share one queue. */
const tenantHeader = 'x-tenant';

export const tenantOf = ({ headers }: Pick<Request, 'headers'>): string =>
  headers.get(tenantHeader) ?? '';

function joinQueue(queue: FairQueue, request: Request, { headers }: RequestContext) {
  try {
    return queue.join(tenantOf(request));
  } catch (error) {
    headers['retry-after'] = retryAfterSeconds;
    throw error;
  }
}

const eventStreamOf = (
  runJob: (sendEvent: SendEvent) => Promise<object>,
  abortController: AbortController,
  requestContext: RequestContext,
  log: Log,
): Response =>
  eventStream(requestContext.headers, heartbeat, {
    async sendNext(send) {
      try {
        const result = await runJob((event) => send(eventText(event)));
        send(eventText({ name: 'done', data: result }));
      } catch (error) {
        const failure = failureOf(error, requestContext, abortController.signal, log);
        send(eventText({ name: 'failed', data: failure }));
      }
      return false;
    },
    cancel: () => abortController.abort(),
  });

function failureOf(
  error: unknown,
  { requestId }: RequestContext,
  signal: AbortSignal,
  log: Log,
): { code: string; message: string } {
  if (error instanceof ExtractError) return { code: error.code, message: error.message };
  if (error instanceof AppError && errorCatalogue[error.code].status !== 500)
    return { code: error.code, message: error.message };
  if (!signal.aborted) log.error({ requestId, err: error }, 'processing a file failed');
  return { code: 'INTERNAL', message: `Internal error; request id ${requestId}` };
}
