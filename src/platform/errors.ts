import type { ErrorReason } from './error-reasons.ts';

/** Every error code, with the REST status and its description in OpenAPI. */
export const errorCatalogue = {
  BAD_INPUT: { status: 400, meaning: 'invalid input' },
  UNAUTHENTICATED: { status: 401, meaning: 'invalid or missing API key' },
  FEATURE_DISABLED: { status: 403, meaning: 'feature not enabled' },
  FORBIDDEN: { status: 403, meaning: 'permission denied' },
  QUOTA_EXCEEDED: { status: 403, meaning: 'the organization has used up a quota' },
  SEAT_LIMIT_REACHED: { status: 403, meaning: 'the organization has no free seat' },
  NOT_FOUND: { status: 404, meaning: 'resource not found' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'method not allowed' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'the request body did not arrive in time' },
  CONFLICT: { status: 409, meaning: 'conflict' },
  STILL_RUNNING: { status: 409, meaning: 'a request with this Idempotency-Key is still running' },
  CURSOR_EXPIRED: { status: 410, meaning: 'the events after the cursor are no longer kept' },
  PRECONDITION_FAILED: { status: 412, meaning: 'the resource has changed since' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'request body too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'unsupported content type or content coding' },
  RANGE_NOT_SATISFIABLE: { status: 416, meaning: 'the range is beyond the end' },
  EXPECTATION_FAILED: { status: 417, meaning: 'the expectation of the request cannot be met' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'this Idempotency-Key was sent with another request',
  },
  UNREADABLE_DOCUMENT: { status: 422, meaning: 'the document cannot be read' },
  RATE_LIMITED: { status: 429, meaning: 'rate limit exceeded' },
  CONCURRENCY_LIMIT_REACHED: {
    status: 429,
    meaning: 'the organization has too many runs or uploads at the same time',
  },
  RUN_CANCELLED: { status: 409, meaning: 'the run was cancelled' },
  BUDGET_EXHAUSTED: { status: 429, meaning: 'a budget that the run counts for is used up' },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'the request line and the headers are too large' },
  INTERNAL: { status: 500, meaning: 'server error' },
  RUN_INTERRUPTED: { status: 500, meaning: 'the process that executed the run has ended' },
  PROVIDER_FAILED: { status: 502, meaning: 'the model provider failed' },
  OUTPUT_INVALID: {
    status: 502,
    meaning: 'the model gave no answer that is valid under the schema of the run',
  },
  UNAVAILABLE: { status: 503, meaning: 'temporarily unavailable' },
  PROVIDER_LATE: { status: 504, meaning: 'the model provider did not answer in time' },
  RUN_EXPIRED: { status: 504, meaning: 'the run could not be executed in time' },
  STORAGE_FULL: { status: 507, meaning: 'no space is left to store this' },
  PERSISTED_QUERY_NOT_FOUND: { status: 404, meaning: 'no trusted document has this id' },
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 400, meaning: 'there are no trusted documents' },
} as const;

/** The codes that only GraphQL answers. */
export const graphCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

export type ErrorCode = keyof typeof errorCatalogue;

/** Every code for one invalid value of a request. */
export const fieldErrorCatalogue = {
  REQUIRED: 'the value is missing',
  NOT_NULLABLE: 'the value is null where null has no meaning',
  WRONG_TYPE: 'the value has another JSON type',
  TOO_SHORT: 'the text has too few characters, or the list too few items',
  TOO_LONG: 'the text has too many characters, or the list too many items',
  OUT_OF_RANGE: 'the number is too small or too large',
  UNKNOWN_VALUE: 'the value is not one of those that are allowed',
  UNKNOWN_FIELD: 'the object has a field that it cannot have',
  INVALID_CHARACTERS: 'the text contains characters that are not allowed',
  INVALID_FORMAT: 'the value does not have the required form',
  REPEATED: 'the value was sent more than once',
  INVALID: 'a rule refuses the value, and the message says why',
} as const;

export type FieldErrorCode = keyof typeof fieldErrorCatalogue;

/**
 * One invalid value. `field` is a path such as `messages[0].content`, a header name, or `body` if
 * the whole body is invalid.
 */
export type FieldError = { field: string; code: FieldErrorCode; message: string };

/**
 * Codes that say too little for a page to explain the refusal in another language, so their errors
 * need a reason.
 */
type VagueCode = 'FORBIDDEN' | 'CONFLICT' | 'QUOTA_EXCEEDED';

/**
 * An error whose code and message are sent to the client. Any other thrown error is masked. Only the
 * vault has reasons of its own.
 */
export class AppError<Reason extends string = ErrorReason> extends Error {
  readonly code: ErrorCode;
  /** A finer distinction than the code. */
  readonly reason: Reason | undefined;
  /** Value of the Retry-After header: after this many seconds the same request can succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: Exclude<ErrorCode, VagueCode>,
    message: string,
    reason?: NoInfer<Reason>,
    retryAfterSeconds?: number,
  );
  constructor(
    code: ErrorCode,
    message: string,
    reason: NoInfer<Reason> | undefined,
    retryAfterSeconds?: number,
  );
  constructor(
    code: ErrorCode,
    message: string,
    reason?: NoInfer<Reason>,
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Invalid input, with every invalid value. */
export class InputError extends AppError {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[], reason?: ErrorReason) {
    super('BAD_INPUT', errors.map(({ message }) => message).join('; '), reason);
    this.errors = errors;
  }
}

/** An error for one invalid value. */
export const inputError = (
  field: string,
  code: FieldErrorCode,
  message: string,
  reason?: ErrorReason,
) => new InputError([{ field, code, message }], reason);

/** A refusal of a request that can succeed after this many seconds. */
export const rateLimited = (message: string, retryAfterSeconds: number, reason?: ErrorReason) =>
  new AppError('RATE_LIMITED', message, reason, retryAfterSeconds);

export const notFound = (what: string) => new AppError('NOT_FOUND', `${what} not found`);
