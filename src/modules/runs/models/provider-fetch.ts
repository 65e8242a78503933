import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { traceHeaders } from '../../../platform/trace-context.ts';
import { runLimits } from '../run-limits.ts';

/**
 * One attempt to call a provider: whether its answer began, and after how many seconds. `left`: the
 * caller cancelled the call.
 */
export type ModelCall = {
  provider: string;
  outcome: 'answered' | 'busy' | 'refused' | 'failed' | 'late' | 'left';
  seconds: number;
};

type ProviderFetchDependencies = {
  provider: string;
  timeMs: number;
  log: Log;
  onCall?: ((call: ModelCall) => void) | undefined;
};

const attemptsMax = 3;
const firstPauseMs = 250;
const pauseMsMax = 5_000;

const failedError = () => new AppError('PROVIDER_FAILED', 'The model provider failed');
const busyError = () =>
  new AppError('PROVIDER_FAILED', 'The model provider is busy; try again later');
const refusedError = () =>
  new AppError('PROVIDER_FAILED', 'The model provider refused the request');
const lateError = () => new AppError('PROVIDER_LATE', 'The model provider did not answer in time');

/**
 * Creates the `fetch` for a provider. Each attempt has a time limit that covers the complete
 * answer. 429, 5xx and broken connections are retried as long as no byte of an answer has been
 * used. The text of a provider's error is never read, so no user can see it.
 */
export function createProviderFetch({
  provider,
  timeMs,
  log,
  onCall,
}: ProviderFetchDependencies): typeof fetch {
  return async (input, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const timeLimit = new AbortController();
      const timer = setTimeout(() => timeLimit.abort(lateError()), timeMs);
      const signal = init?.signal
        ? AbortSignal.any([init.signal, timeLimit.signal])
        : timeLimit.signal;
      const startedAt = performance.now();
      const { response, fault, isRetryable, retryAfterMs } = await fetchOnce(input, {
        ...init,
        headers: withTrace(init?.headers),
        signal,
        redirect: 'error',
      });
      const outcome = outcomeOf({
        answered: response !== undefined,
        isCancelled: init?.signal?.aborted === true,
        isLate: timeLimit.signal.aborted,
        ...fault,
      });
      onCall?.({ provider, outcome, seconds: (performance.now() - startedAt) / 1000 });
      if (response?.body)
        return new Response(limitBody(response.body, timer, signal), {
          status: response.status,
          headers: response.headers,
        });
      clearTimeout(timer);
      if (signal.aborted) throw signal.reason;
      log.warn({ provider, attempt, ...fault }, 'A call of a model provider failed');
      if (!isRetryable) throw refusedError();
      if (attempt === attemptsMax) throw fault.status === 429 ? busyError() : failedError();
      // The jitter spreads the retries of callers that were refused at the same time.
      const backoffMs = firstPauseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      await pause(
        Math.min(Math.max(backoffMs, retryAfterMs), pauseMsMax),
        undefined,
        init?.signal ? { signal: init.signal } : {},
      );
    }
  };
}

function withTrace(init: RequestInit['headers']): Headers {
  const headers = new Headers(init);
  for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value);
  return headers;
}

type AttemptOutcome = { answered: boolean; isCancelled: boolean; isLate: boolean; status?: number };

function outcomeOf({
  answered,
  isCancelled,
  isLate,
  status = 500,
}: AttemptOutcome): ModelCall['outcome'] {
  if (answered) return 'answered';
  if (isCancelled) return 'left';
  if (isLate) return 'late';
  if (status === 429) return 'busy';
  return status < 500 ? 'refused' : 'failed';
}

type AttemptResult = {
  response?: Response;
  fault: { status?: number; code?: string };
  isRetryable: boolean;
  retryAfterMs: number;
};

async function fetchOnce(
  input: Parameters<typeof fetch>[0],
  init: RequestInit,
): Promise<AttemptResult> {
  let response: Response;
  try {
    response = await fetch(input, init);
  } catch (error) {
    const cause: { code?: unknown } = Object(error instanceof Error ? error.cause : undefined);
    return {
      fault: { code: typeof cause.code === 'string' ? cause.code : 'none' },
      isRetryable: true,
      retryAfterMs: 0,
    };
  }
  if (response.ok) return { response, fault: {}, isRetryable: false, retryAfterMs: 0 };
  await response.body?.cancel();
  const { status } = response;
  return {
    fault: { status },
    isRetryable: status === 429 || status >= 500,
    retryAfterMs: 1000 * (Number(response.headers.get('retry-after')) || 0),
  };
}

/**
 * Limits the time and the size of an answer until its end. A connection that breaks on the way is a
 * fault of the provider.
 */
function limitBody(
  body: ReadableStream<Uint8Array>,
  timer: NodeJS.Timeout,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        bytes += value?.length ?? 0;
        if (bytes > runLimits.providerBytes) throw failedError();
        if (value) return controller.enqueue(value);
        if (done) controller.close();
      } catch (error) {
        controller.error(signal.aborted ? signal.reason : failedError());
        if (error instanceof AppError) await reader.cancel();
      }
      clearTimeout(timer);
    },
    async cancel(reason) {
      clearTimeout(timer);
      await reader.cancel(reason);
    },
  });
}
