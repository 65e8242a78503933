/** A field of the input whose value is invalid. */
export type FieldFault = { field: string; code: string; message: string };

export class HttpError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

export class InputFault extends HttpError {
  readonly faults: readonly FieldFault[];

  constructor(faults: readonly FieldFault[]) {
    super(400, faults.map(({ message }) => message).join('; '));
    this.faults = faults;
  }
}

const codes: Record<number, string> = {
  400: 'BAD_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FEATURE_DISABLED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
};

/** The body of an error, as our server sends it. */
export const errorBody = (error: { message: string }, status: number, requestId: string) => ({
  status: 'error',
  message: status < 500 ? error.message : `Internal error; request id ${requestId}`,
  code: codes[status] ?? 'INTERNAL',
  requestId,
  ...(error instanceof InputFault ? { errors: error.faults } : {}),
});
