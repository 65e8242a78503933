import type { AtriumError } from './atrium-error.ts';

// A call that would have to wait longer, such as for a limit per hour, fails at once.
const waitSecondsMax = 120;
const backoffSecondsMax = 30;

/**
 * Whether the call can succeed if it is sent again. A call with status 429 was not executed. Any
 * other call is only sent again if the server executes it once.
 */
export function isTemporary(
  { status, code, retryAfterSeconds }: AtriumError,
  isRepeatable: boolean,
): boolean {
  if ((retryAfterSeconds ?? 0) > waitSecondsMax) return false;
  // A budget without a time to wait for does not begin again.
  if (code === 'BUDGET_EXHAUSTED' && retryAfterSeconds === null) return false;
  if (status === 429) return true;
  if (!isRepeatable) return false;
  // Without a code, a proxy has answered, which could not reach Atrium.
  const isProxyError = code === null && (status === 502 || status === 504);
  return status === 503 || isProxyError || (status === 409 && retryAfterSeconds !== null);
}

/**
 * How long to wait before a retry. The random part keeps clients that failed together from
 * returning together. A wait that the server has stated is never shortened.
 */
export function retryDelaySeconds(
  retry: number,
  retryAfterSeconds: number | null,
  random: () => number = Math.random,
): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * (1 + random() / 10);
  return Math.min(backoffSecondsMax, 2 ** retry / 2) * (1 + random());
}

/** Waits, or fails with the reason of the signal as soon as it is aborted. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
