import type { RequestContext } from '../http/request-context.ts';
import { TextResponse } from '../http/text-response.ts';
import { AppError, errorCatalogue } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

type ResponseHeaders = Record<string, string>;

export function jsonAnswer(
  status: number,
  body: object,
  headers: ResponseHeaders,
  type = 'application/json',
): Response {
  headers['content-type'] = `${type}; charset=utf-8`;
  headers['cache-control'] = 'no-store';
  return new TextResponse(JSON.stringify(body), { status, headers });
}

/**
 * Converts an error into an answer. Only an AppError is shown to the client; any other error is
 * logged with the request id and answered as an internal error.
 */
export function refusalAnswer(
  error: unknown,
  request: Request,
  { requestId, headers }: Pick<RequestContext, 'requestId' | 'headers'>,
  log: Log,
): Response {
  if (!(error instanceof AppError)) {
    // The client has disconnected. The error is not logged, because the request log has its line.
    if (request.signal.aborted)
      return jsonAnswer(503, { status: 'error', message: 'The sender is gone' }, headers);
    log.error({ requestId, err: error }, 'a handler failed');
    return jsonAnswer(
      500,
      { status: 'error', message: `Internal error; request id ${requestId}` },
      headers,
    );
  }
  const { status } = errorCatalogue[error.code];
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return jsonAnswer(status, { status: 'error', message: error.message }, headers);
}
