import { type ErrorFormat, errorResponse } from '../http/error-response.ts';
import { jsonResponse } from '../http/json-response.ts';
import type { RequestContext } from '../http/request-context.ts';
import { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { RejectedSignature } from './signature.ts';

export const jsonAnswer = (
  status: number,
  body: object,
  headers: Record<string, string>,
  type = 'application/json',
): Response => jsonResponse(status, JSON.stringify(body), headers, `${type}; charset=utf-8`);

/** The `reason` of an error is the code that programs read. */
const vaultFormat: ErrorFormat = {
  body: ({ message, reason }) => ({
    status: 'error',
    ...(reason === undefined ? {} : { code: reason }),
    message,
  }),
};

/**
 * Converts an error into an answer. Only an AppError is shown to the client; any other error is
 * logged with the request id and answered as an internal error.
 */
export function refusalAnswer(
  error: unknown,
  request: Request,
  requestContext: RequestContext,
  log: Log,
): Response {
  const shown = shownError();
  return errorResponse(shown, requestContext, log, {
    ...vaultFormat,
    ...(shown instanceof RejectedSignature && { challenge: shown.challenge }),
  });

  function shownError(): AppError {
    if (error instanceof AppError) return error;
    // The client has disconnected. The error is not logged, because the request log has its line.
    if (request.signal.aborted) return new AppError('UNAVAILABLE', 'The sender is gone');
    const { requestId } = requestContext;
    log.error({ requestId, err: error }, 'a handler failed');
    return new AppError('INTERNAL', `Internal error; request id ${requestId}`);
  }
}
