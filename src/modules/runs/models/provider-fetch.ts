import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Response as TextAnswer } from '@whatwg-node/fetch';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { retryAfterMsOf } from '../../../platform/retry-after.ts';
import { traceHeaders } from '../../../platform/trace-context.ts';
import { runLimits } from '../run-limits.ts';
import { type ProviderRequest, sendToProvider } from './send-to-provider.ts';

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

/** The provider answered that the request is wrong. */
export class ProviderRefusal extends AppError {
  constructor() {
    super('PROVIDER_FAILED', 'The model provider refused the request');
  }
}

const failedError = () => new AppError('PROVIDER_FAILED', 'The model provider failed');
const busyError = () =>
  new AppError('PROVIDER_FAILED', 'The model provider is busy; try again later');
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
      const { answer, fault, isRetryable, retryAfterMs } = await callOnce({
        url: String(input),
        headers: { ...plainHeaders(init?.headers), ...traceHeaders() },
        body: String(init?.body),
        signal,
      });
      const outcome = outcomeOf({
        answered: answer !== undefined,
        isCancelled: init?.signal?.aborted === true,
        isLate: timeLimit.signal.aborted,
        ...fault,
      });
      onCall?.({ provider, outcome, seconds: (performance.now() - startedAt) / 1000 });
      if (answer) return responseOf(answer, timer, signal);
      clearTimeout(timer);
      if (signal.aborted) throw signal.reason;
      log.warn({ provider, attempt, ...fault }, 'A call of a model provider failed');
      if (!isRetryable) throw new ProviderRefusal();
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

/** The SDK sends a plain object. */
const plainHeaders = (headers: RequestInit['headers'] = {}): Record<string, string> =>
  headers instanceof Headers || Array.isArray(headers)
    ? Object.fromEntries(new Headers(headers))
    : { ...headers };

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
  answer?: IncomingMessage;
  fault: { status?: number; code?: string };
  isRetryable: boolean;
  retryAfterMs: number;
};

async function callOnce(request: ProviderRequest): Promise<AttemptResult> {
  let answer: IncomingMessage;
  try {
    answer = await sendToProvider(request);
  } catch (error) {
    const { code }: { code?: unknown } = Object(error);
    return {
      fault: { code: typeof code === 'string' ? code : 'none' },
      isRetryable: true,
      retryAfterMs: 0,
    };
  }
  const { statusCode: status = 0, headers } = answer;
  // A redirect is not followed, because the API key must not be sent to another address.
  if (status >= 200 && status < 300)
    return { answer, fault: {}, isRetryable: false, retryAfterMs: 0 };
  answer.destroy();
  return {
    fault: { status },
    isRetryable: status === 429 || status >= 500 || status < 400,
    retryAfterMs: retryAfterMsOf(headers['retry-after'], new Date()) ?? 0,
  };
}

/** The answer in the form that the SDK expects. */
async function responseOf(
  answer: IncomingMessage,
  timer: NodeJS.Timeout,
  signal: AbortSignal,
): Promise<Response> {
  const status = answer.statusCode ?? 200;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers))
    if (typeof value === 'string') headers[name] = value;
  const chunks = limitAnswer(answer, timer, signal);
  if (headers['content-type']?.includes('text/event-stream'))
    return new Response(streamOf(chunks), { status, headers });
  const texts: Uint8Array[] = [];
  for await (const chunk of chunks) texts.push(chunk);
  return new TextAnswer(Buffer.concat(texts).toString(), { status, headers });
}

/**
 * Limits the time and the size of an answer until its end. A connection that breaks on the way is a
 * fault of the provider.
 */
async function* limitAnswer(
  answer: IncomingMessage,
  timer: NodeJS.Timeout,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes > runLimits.providerBytes) throw failedError();
      yield chunk;
    }
  } catch {
    throw signal.aborted ? signal.reason : failedError();
  } finally {
    clearTimeout(timer);
  }
}

const streamOf = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
