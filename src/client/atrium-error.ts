import type { ErrorBody, FieldError } from './documented-calls.ts';

/** An error response of Atrium, with what a program needs to report it or to react to it. */
export class AtriumError extends Error {
  override readonly name = 'AtriumError';
  readonly status: number;
  /** The error code, such as NOT_FOUND; null if a proxy or a load balancer sent the response. */
  readonly code: ErrorBody['code'] | null;
  /** Every invalid value of the request; empty if the input is valid. */
  readonly errors: readonly FieldError[];
  /** The id of the request in the log of the server. */
  readonly requestId: string | null;
  /** After how many seconds the call may succeed; null if waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /**
   * The limit of requests per window of 60 seconds, how many are left in this window, and when it
   * ends.
   */
  readonly rateLimit: { limit: number; remaining: number; reset: Date } | null;

  private constructor(body: Partial<ErrorBody>, { status, headers }: Response) {
    super(typeof body.message === 'string' ? body.message : `Atrium answered ${status}`);
    const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : null;
    this.errors = Array.isArray(body.errors) ? body.errors : [];
    this.requestId =
      headers.get('x-request-id') ?? (typeof body.requestId === 'string' ? body.requestId : null);
    this.retryAfterSeconds = secondsUntil(headers.get('retry-after'));
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      number(`x-ratelimit-${name}`),
    );
    this.rateLimit =
      limit != null && remaining != null && reset != null
        ? { limit, remaining, reset: new Date(reset * 1000) }
        : null;
  }

  static async of(answer: Response): Promise<AtriumError> {
    return new AtriumError(parseBody(await answer.text()), answer);
  }
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-retry-after: seconds, or a proxy's date. */
function secondsUntil(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

function parseBody(text: string): Partial<ErrorBody> {
  try {
    return Object(JSON.parse(text));
  } catch {
    // The response of a proxy need not be JSON.
    return {};
  }
}
