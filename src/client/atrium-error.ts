import type { Error as ErrorBody, FieldError } from './documented-calls.ts';

/** An answer that is no success, as its sender may want to tell it or act on it. */
export class AtriumError extends Error {
  override readonly name = 'AtriumError';
  readonly status: number;
  /**
   * The reason as a constant, such as NOT_FOUND; null where something between client and server
   * answered.
   */
  readonly code: ErrorBody['code'] | null;
  /** Every value of the request that is wrong; empty where the input is not at fault. */
  readonly errors: readonly FieldError[];
  /** What the log of the server knows this call by. */
  readonly requestId: string | null;
  /** After how many seconds the call may succeed; null where time does not help. */
  readonly retryAfterSeconds: number | null;
  /**
   * Requests that the key has in each window of 60 seconds, those that are left in this one, and
   * when it ends.
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
    this.retryAfterSeconds = number('retry-after');
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      number(`x-ratelimit-${name}`),
    );
    this.rateLimit =
      limit != null && remaining != null && reset != null
        ? { limit, remaining, reset: new Date(reset * 1000) }
        : null;
  }

  static async of(answer: Response): Promise<AtriumError> {
    return new AtriumError(bodyIn(await answer.text()), answer);
  }
}

function bodyIn(text: string): Partial<ErrorBody> {
  try {
    return Object(JSON.parse(text));
  } catch {
    // A proxy in between answers in words of its own.
    return {};
  }
}
