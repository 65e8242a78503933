import { GraphQLError } from 'graphql';
import { isUnavailable } from '../platform/database/faults.ts';
import { AppError, type ErrorCode, type FieldError, InputError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

/** What the sender may know of an error. */
export type Refusal = {
  code: ErrorCode;
  message: string;
  requestId: string;
  /** Every value of the request that is wrong. */
  errors?: readonly FieldError[];
  reason?: string;
  retryAfterSeconds?: number;
};

/**
 * An error that was meant for the sender passes; anything else is logged whole and told only by its
 * request id.
 */
export function refusalOf(
  error: unknown,
  { requestId, log }: { requestId: string; log: Log },
): Refusal {
  const cause = rootCause(error);
  if (cause instanceof AppError) {
    const { code, message, reason, retryAfterSeconds } = cause;
    return {
      ...{ code, message, requestId },
      ...(cause instanceof InputError ? { errors: cause.errors } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }
  if (isUnavailable(cause)) {
    log.warn({ requestId, err: cause }, 'a part that the request needs is out of reach');
    return {
      code: 'UNAVAILABLE',
      message: `Temporarily unavailable; request id ${requestId}`,
      requestId,
    };
  }
  if (isClientAbort(cause)) {
    log.info({ requestId }, 'the client closed the connection before it had its answer');
    return { code: 'UNAVAILABLE', message: 'The client closed the connection', requestId };
  }
  log.error({ requestId, err: cause }, 'an error that nobody expected');
  return { code: 'INTERNAL', message: `Internal error; request id ${requestId}`, requestId };
}

/**
 * The signal of a request ends the work for it when its client is gone, and what was waiting fails
 * with this reason.
 */
const isClientAbort = (cause: unknown): boolean =>
  cause instanceof Error && cause.name === 'AbortError';

/** Whether a part that the request needs was out of reach. */
export function isOutOfReach(error: unknown): boolean {
  const cause = rootCause(error);
  return cause instanceof AppError ? cause.code === 'UNAVAILABLE' : isUnavailable(cause);
}

function rootCause(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError
    ? rootCause(error.originalError)
    : error;
}
