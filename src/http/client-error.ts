import { BulkError } from '../platform/bulk.ts';
import { isUnavailable } from '../platform/database/faults.ts';
import { AppError, type ErrorCode, type FieldError, InputError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

/** The part of an error that the client may see. */
export type ClientError = {
  code: ErrorCode;
  message: string;
  requestId: string;
  /** Every invalid value of the request. */
  errors?: readonly FieldError[];
  reason?: string;
  retryAfterSeconds?: number;
};

/**
 * An AppError is passed on. Any other error is logged with all details, and the client only gets
 * the request id.
 */
export function toClientError(
  error: unknown,
  { requestId, log }: { requestId: string; log: Log },
): ClientError {
  const cause = rootCause(error);
  if (cause instanceof AppError) {
    const { code, message, reason, retryAfterSeconds } = cause;
    return {
      ...{ code, message, requestId },
      ...(cause instanceof InputError || cause instanceof BulkError
        ? { errors: cause.errors }
        : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }
  if (isUnavailable(cause)) {
    log.warn({ requestId, err: cause }, 'a service that the request needs cannot be reached');
    return {
      code: 'UNAVAILABLE',
      message: `Temporarily unavailable; request id ${requestId}`,
      requestId,
    };
  }
  if (isClientAbort(cause)) {
    log.info({ requestId }, 'the client disconnected before the response was sent');
    return { code: 'UNAVAILABLE', message: 'The client closed the connection', requestId };
  }
  log.error({ requestId, err: cause }, 'unexpected error');
  return { code: 'INTERNAL', message: `Internal error; request id ${requestId}`, requestId };
}

/**
 * When the client disconnects, the request's signal aborts pending work, which then fails with this
 * error.
 */
const isClientAbort = (cause: unknown): boolean =>
  cause instanceof Error && cause.name === 'AbortError';

/** The error that a GraphQLError wraps. */
export function rootCause(error: unknown): unknown {
  return error instanceof Error && 'originalError' in error && error.originalError
    ? rootCause(error.originalError)
    : error;
}
