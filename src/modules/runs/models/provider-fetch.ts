import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { runLimits } from '../run-limits.ts';

/** One try at a provider: whether its answer began, and when. */
export type ModelCall = {
  provider: string;
  outcome: 'answered' | 'busy' | 'refused' | 'failed' | 'late' | 'left';
  seconds: number;
};

type Parts = {
  provider: string;
  timeMs: number;
  log: Log;
  called?: ((call: ModelCall) => void) | undefined;
};

const attemptsMax = 3;
const firstPauseMs = 250;
const pauseMsMax = 5_000;

const failed = () => new AppError('PROVIDER_FAILED', 'The model provider failed');
const busy = () => new AppError('PROVIDER_FAILED', 'The model provider is busy; try again later');
const refused = () => new AppError('PROVIDER_FAILED', 'The model provider refused the request');
const late = () => new AppError('PROVIDER_LATE', 'The model provider did not answer in time');

/**
 * How a provider is called: each call has its time, for the whole of its answer; 429, 5xx and
 * broken connections are tried again before a byte of an answer was used. What a provider says of
 * an error is never read, so nobody can be shown it.
 */
export function createProviderFetch({ provider, timeMs, log, called }: Parts): typeof fetch {
  return async (input, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const clock = new AbortController();
      const timer = setTimeout(() => clock.abort(late()), timeMs);
      const signal = init?.signal ? AbortSignal.any([init.signal, clock.signal]) : clock.signal;
      const startedAt = performance.now();
      const { response, fault, again, waitMs } = await tryOnce(input, {
        ...init,
        signal,
        redirect: 'error',
      });
      const outcome = outcomeOf({
        answered: response !== undefined,
        left: init?.signal?.aborted === true,
        late: clock.signal.aborted,
        ...fault,
      });
      called?.({ provider, outcome, seconds: (performance.now() - startedAt) / 1000 });
      if (response?.body)
        return new Response(limited(response.body, timer, signal), {
          status: response.status,
          headers: response.headers,
        });
      clearTimeout(timer);
      if (signal.aborted) throw signal.reason;
      log.warn({ provider, attempt, ...fault }, 'a call of a model provider failed');
      if (!again) throw refused();
      if (attempt === attemptsMax) throw fault.status === 429 ? busy() : failed();
      // A little more or less, so that callers who were refused together do not come back together.
      const usualMs = firstPauseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      await pause(
        Math.min(Math.max(usualMs, waitMs), pauseMsMax),
        undefined,
        init?.signal ? { signal: init.signal } : {},
      );
    }
  };
}

type Tried = { answered: boolean; left: boolean; late: boolean; status?: number };

function outcomeOf({ answered, left, late, status = 500 }: Tried): ModelCall['outcome'] {
  if (answered) return 'answered';
  if (left) return 'left';
  if (late) return 'late';
  if (status === 429) return 'busy';
  return status < 500 ? 'refused' : 'failed';
}

type Try = {
  response?: Response;
  fault: { status?: number; code?: string };
  again: boolean;
  waitMs: number;
};

async function tryOnce(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Try> {
  let response: Response;
  try {
    response = await fetch(input, init);
  } catch (error) {
    const cause: { code?: unknown } = Object(error instanceof Error ? error.cause : undefined);
    return {
      fault: { code: typeof cause.code === 'string' ? cause.code : 'none' },
      again: true,
      waitMs: 0,
    };
  }
  if (response.ok) return { response, fault: {}, again: false, waitMs: 0 };
  await response.body?.cancel();
  const { status } = response;
  return {
    fault: { status },
    again: status === 429 || status >= 500,
    waitMs: 1000 * (Number(response.headers.get('retry-after')) || 0),
  };
}

/**
 * The clock runs until the answer has ended, and an answer without end is broken off. What breaks
 * on the way is a fault of the provider.
 */
function limited(
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
        if (bytes > runLimits.providerBytes) throw failed();
        if (value) return controller.enqueue(value);
        if (done) controller.close();
      } catch (error) {
        controller.error(signal.aborted ? signal.reason : failed());
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
