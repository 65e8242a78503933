import { AppError } from './errors.ts';

type Pace = {
  bytesMax: number;
  /** On average over the time in which the sender keeps us waiting. */
  bytesPerSecondMin: number;
  /** How long a sender may fall short of that: silence of this length ends the body. */
  patienceMs?: number;
  signal?: AbortSignal | undefined;
};

/**
 * The slowest line that is still served: 64 kbit a second. A time limit on the whole would cut off
 * honest slow ones.
 */
export const uploadBytesPerSecondMin = 8_000;

/**
 * The bytes of a body as they come, no faster than they are taken. Only the time spent waiting for
 * the sender counts against it: each byte earns its share of patience, up to the most. A reader
 * that stops early leaves the rest unread: to cancel the body would close its connection, and the
 * server discards the rest once it has answered.
 */
export async function* pacedBody(
  body: ReadableStream<Uint8Array> | null,
  pace: Pace,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { bytesMax, bytesPerSecondMin, patienceMs = 30_000, signal } = pace;
  if (!body) return;
  const reader = body.getReader();
  let bytes = 0;
  let patience = patienceMs;
  for (;;) {
    const askedAt = performance.now();
    const { done, value } = await nextWithin(reader, patience, signal);
    if (done) return;
    bytes += value.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    patience = Math.min(
      patienceMs,
      patience - (performance.now() - askedAt) + (value.length / bytesPerSecondMin) * 1000,
    );
    yield value;
  }
}

export const tooLarge = (bytesMax: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${bytesMax} bytes`);

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Not Promise.race: a promise that outlives each race would keep every chunk that was ever read.
 */
function nextWithin(
  reader: Reader,
  waitMs: number,
  signal: AbortSignal | undefined,
): ReturnType<Reader['read']> {
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
