import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';

export type ProviderCall = {
  url: string;
  apiKey?: string | undefined;
  body: object;
  /** An answer of more bytes is none. */
  bytesMax: number;
  tries: number;
  /** For one try, from the question to the last byte of the answer. */
  timeoutMs?: number;
  firstPauseMs?: number;
  signal?: AbortSignal | undefined;
};

const usualTimeoutMs = 30_000;
const pauseMsMax = 30_000;

/**
 * Asks a model provider and gives its JSON back, unchecked. Too many requests, faults of the
 * provider and silence are tried again, later each time and not before the provider says. No word
 * of the provider and no secret leaves here.
 */
export async function callProvider(call: ProviderCall, { log }: { log: Log }): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(call);
    if ('answer' in outcome) return outcome.answer;
    const isLast = attempt >= call.tries || !outcome.isWorthAnotherTry;
    log.warn(
      { host: new URL(call.url).host, reason: outcome.reason, attempt, isLast },
      'a model provider failed',
    );
    if (isLast) throw outcome.fault;
    const pauseMs = (call.firstPauseMs ?? 500) * 2 ** (attempt - 1);
    await sleep(Math.min(pauseMsMax, Math.max(outcome.notBeforeMs, pauseMs)), undefined, {
      signal: call.signal,
    });
  }
}

type Outcome =
  | { answer: unknown }
  | { fault: AppError; reason: string; isWorthAnotherTry: boolean; notBeforeMs: number };

async function tryOnce({
  url,
  apiKey,
  body,
  bytesMax,
  timeoutMs = usualTimeoutMs,
  signal,
}: ProviderCall): Promise<Outcome> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      // Elsewhere the key has no business.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const { status } = response;
    if (!response.ok) {
      await response.body?.cancel();
      return failed(
        `status ${status}`,
        status === 429 || status >= 500,
        retryAfterMs(response.headers.get('retry-after')),
      );
    }
    const text = await textWithin(response, bytesMax);
    return text === undefined ? failed('answer too long', false) : parsed(text);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (limit.aborted)
      return {
        fault: new AppError('PROVIDER_LATE', 'The model provider did not answer in time'),
        reason: 'late',
        ...again,
      };
    return failed('no connection', true);
  }
}

const again = { isWorthAnotherTry: true, notBeforeMs: 0 };

const failed = (reason: string, isWorthAnotherTry: boolean, notBeforeMs = 0): Outcome => ({
  fault: providerFailed(),
  reason,
  isWorthAnotherTry,
  notBeforeMs,
});

export const providerFailed = (): AppError =>
  new AppError('PROVIDER_FAILED', 'The model provider failed');

function parsed(text: string): Outcome {
  try {
    return { answer: JSON.parse(text) };
  } catch {
    return failed('answer is not JSON', false);
  }
}

async function textWithin(response: Response, bytesMax: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | null): number {
  if (!header) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
