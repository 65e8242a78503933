/** An answer that is no success, as its sender may want to tell it or act on it. */
export class AtriumError extends Error {
  override readonly name = 'AtriumError';
  readonly status: number;
  /** What the log of the server knows this call by. */
  readonly requestId: string | null;
  /** After how many seconds the call may succeed; null where time does not help. */
  readonly retryAfterSeconds: number | null;
  /** Requests that the key has in each window of 60 seconds, those that are left in this one, and when it ends. */
  readonly rateLimit: { limit: number; remaining: number; reset: Date } | null;

  private constructor(message: string, { status, headers }: Response) {
    super(message);
    const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
    this.status = status;
    this.requestId = headers.get('x-request-id');
    this.retryAfterSeconds = number('retry-after');
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => number(`x-ratelimit-${name}`));
    this.rateLimit = limit != null && remaining != null && reset != null ? { limit, remaining, reset: new Date(reset * 1000) } : null;
  }

  static async of(answer: Response): Promise<AtriumError> {
    const text = await answer.text();
    return new AtriumError(messageIn(text) ?? `Atrium answered ${answer.status}`, answer);
  }
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = Object(JSON.parse(text));
    return typeof message === 'string' ? message : undefined;
  } catch {
    // A proxy in between answers in words of its own.
    return undefined;
  }
}
