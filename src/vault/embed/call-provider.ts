import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { retryAfterMsOf } from '../../platform/retry-after.ts';
import { traceHeaders } from '../../platform/trace-context.ts';

export type ProviderCall = {
  url: string;
  apiKey?: string | undefined;
  body: object;
  /** A longer answer counts as a failure. */
  bytesMax: number;
  attemptsMax: number;
  /** The time limit of one attempt, from the request to the last byte of the answer. */
  timeoutMs?: number;
  firstPauseMs?: number;
  signal?: AbortSignal | undefined;
};

const defaultTimeoutMs = 30_000;
const pauseMsMax = 30_000;

/**
 * Sends a request to a model provider and returns its JSON without validating it. After status 429,
 * a server error, a failed connection or a timeout it retries with exponential backoff, and not
 * earlier than the provider's Retry-After. Errors and logs contain no text of the provider and no
 * secret.
 */
export async function callProvider(call: ProviderCall, { log }: { log: Log }): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(call);
    if ('answer' in outcome) return outcome.answer;
    const isLast = attempt >= call.attemptsMax || !outcome.isRetryable;
    log.warn(
      { host: new URL(call.url).host, reason: outcome.reason, attempt, isLast },
      'a model provider failed',
    );
    if (isLast) throw outcome.fault;
    const pauseMs = (call.firstPauseMs ?? 500) * 2 ** (attempt - 1);
    await sleep(Math.min(pauseMsMax, Math.max(outcome.waitMs, pauseMs)), undefined, {
      signal: call.signal,
    });
  }
}

type ProviderOutcome =
  | { answer: unknown }
  | { fault: AppError; reason: string; isRetryable: boolean; waitMs: number };

async function attemptOnce({
  url,
  apiKey,
  body,
  bytesMax,
  timeoutMs = defaultTimeoutMs,
  signal,
}: ProviderCall): Promise<ProviderOutcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...traceHeaders(),
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      // Redirects are not followed, because the API key must not be sent to another address.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { status } = response;
    if (!response.ok) {
      await response.body?.cancel();
      return failedOutcome(
        `status ${status}`,
        status === 429 || status >= 500,
        retryAfterMsOf(response.headers.get('retry-after'), new Date()),
      );
    }
    const text = await textWithin(response, bytesMax);
    return text === undefined ? failedOutcome('answer too long', false) : parseAnswer(text);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted)
      return {
        fault: new AppError('PROVIDER_LATE', 'The model provider did not answer in time'),
        reason: 'late',
        ...retryable,
      };
    return failedOutcome('no connection', true);
  }
}

const retryable = { isRetryable: true, waitMs: 0 };

const failedOutcome = (reason: string, isRetryable: boolean, waitMs = 0): ProviderOutcome => ({
  fault: providerFailed(),
  reason,
  isRetryable,
  waitMs,
});

export const providerFailed = (): AppError =>
  new AppError('PROVIDER_FAILED', 'The model provider failed');

function parseAnswer(text: string): ProviderOutcome {
  try {
    return { answer: JSON.parse(text) };
  } catch {
    return failedOutcome('answer is not JSON', false);
  }
}

async function textWithin(response: Response, bytesMax: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
