import { AppError } from '../platform/errors.ts';

type PaceLimits = {
  bytesMax: number;
  /** Average over the time that the server spends waiting for the sender. */
  bytesPerSecondMin: number;
  /** How long a sender may stay below that rate. A silence of this length ends the body. */
  patienceMs?: number;
  signal?: AbortSignal | undefined;
};

/**
 * The slowest accepted upload: 64 kbit/s. A limit on the total time would reject honest senders
 * with a slow line.
 */
export const uploadBytesPerSecondMin = 8_000;

/**
 * Yields the bytes of a body as the reader consumes them. Only the time spent waiting for the
 * sender reduces `patience`, and each received byte adds to it, up to `patienceMs`. A reader that
 * stops early leaves the rest unread: cancelling the body would close the connection, and the
 * server discards the rest after it has responded.
 */
export async function* pacedBody(
  body: ReadableStream<Uint8Array> | null,
  pace: PaceLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { bytesMax, bytesPerSecondMin, patienceMs = 30_000, signal } = pace;
  if (!body) return;
  const reader = body.getReader();
  let bytes = 0;
  let patience = patienceMs;
  for (;;) {
    const waitStartedAt = performance.now();
    const { done, value } = await nextWithin(reader, patience, signal);
    if (done) return;
    bytes += value.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    patience = Math.min(
      patienceMs,
      patience - (performance.now() - waitStartedAt) + (value.length / bytesPerSecondMin) * 1000,
    );
    yield value;
  }
}

export const tooLarge = (bytesMax: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${bytesMax} bytes`);

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Promise.race is not used: a promise that outlives each race would retain every chunk that was
 * ever read.
 */
function nextWithin(
  reader: BodyReader,
  waitMs: number,
  signal: AbortSignal | undefined,
): ReturnType<BodyReader['read']> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        settle(() => reject(new AppError('REQUEST_TIMEOUT', 'The body did not arrive in time'))),
      waitMs,
    );
    const onAbort = () => settle(() => reject(signal?.reason));
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      outcome();
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    reader.read().then(
      (next) => settle(() => resolve(next)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
