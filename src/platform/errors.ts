/** Every way a request can be refused: the status REST answers with and what OpenAPI says of it. */
export const errorCatalogue = {
  BAD_INPUT: { status: 400, meaning: 'invalid input' },
  UNAUTHENTICATED: { status: 401, meaning: 'invalid or missing API key' },
  FEATURE_DISABLED: { status: 403, meaning: 'feature not enabled' },
  FORBIDDEN: { status: 403, meaning: 'permission denied' },
  SEAT_LIMIT_REACHED: { status: 403, meaning: 'the organization has no free seat' },
  NOT_FOUND: { status: 404, meaning: 'resource not found' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'method not allowed' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'the request body did not arrive in time' },
  CONFLICT: { status: 409, meaning: 'conflict' },
  STILL_RUNNING: { status: 409, meaning: 'a request with this Idempotency-Key is still running' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'request body too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'unsupported content type' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, meaning: 'this Idempotency-Key was sent with another request' },
  RATE_LIMITED: { status: 429, meaning: 'rate limit exceeded' },
  INTERNAL: { status: 500, meaning: 'server error' },
  UNAVAILABLE: { status: 503, meaning: 'temporarily unavailable' },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** A refusal whose message is meant for the sender. Anything else that is thrown is masked. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'AppError';
    this.code = code;
  }
}

export const notFound = (what: string) => new AppError('NOT_FOUND', `${what} not found`);
