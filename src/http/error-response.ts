import { errorCatalogue } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { type ClientError, toClientError } from './client-error.ts';
import { jsonResponse } from './json-response.ts';
import type { RequestContext } from './request-context.ts';
import { MethodNotAllowed } from './router.ts';

/** How an API writes its errors. Status and headers are the same in every format. */
export type ErrorFormat = {
  body: (refusal: ClientError, error: unknown) => object;
  /** The media type, by default JSON in UTF-8. */
  type?: string;
  /** The status; by default that of the code. */
  status?: number | undefined;
  /** What 401 asks for, by default a key. false in responses for people who sign in. */
  challenge?: string | false;
};

/**
 * Writes every error response. An AppError is shown to the client; any other error is logged, and
 * the client gets only the request id.
 */
export function errorResponse(
  error: unknown,
  { requestId, headers }: Pick<RequestContext, 'requestId' | 'headers'>,
  log: Log,
  { body, type, status: ownStatus, challenge = 'Bearer' }: ErrorFormat = standardFormat,
): Response {
  const refusal = toClientError(error, { requestId, log });
  const { code, retryAfterSeconds } = refusal;
  const status = ownStatus ?? errorCatalogue[code].status;
  if (status === 401 && challenge !== false) headers['www-authenticate'] = challenge;
  if (error instanceof MethodNotAllowed) headers['allow'] = error.allow;
  if (code === 'STILL_RUNNING') headers['retry-after'] = '1';
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  return jsonResponse(status, JSON.stringify(body(refusal, error)), headers, type);
}

/** The body of an error response, and the data of the `error` event that ends a stream. */
export const errorBodyOf = ({
  code,
  message,
  requestId,
  errors,
}: Pick<ClientError, 'code' | 'message' | 'requestId' | 'errors'>) => ({
  ...{ status: 'error', message, code, requestId },
  ...(errors === undefined ? {} : { errors }),
});

const standardFormat: ErrorFormat = { body: errorBodyOf };
