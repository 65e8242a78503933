import { AppError } from '../platform/errors.ts';
import type { Context } from './context.ts';
import type { ScopeMap } from './scope-map.ts';

const intervalMs = 500;

type WatchedRequest = Pick<Context, 'signal' | 'isStillAdmitted'>;
export type AccessWatch = { signal: AbortSignal; stop: () => void };

/**
 * Watches the access of a long-running response. The returned signal is aborted when the client
 * disconnects, and within about a second after the key is revoked, the session ends, the person is
 * removed or loses a role, the organization loses a feature that `scopes` require, or
 * `checkResource` is denied. Every process checks for itself, so the change can happen in any
 * process. `stop` ends the watch.
 */
export function watchAccess(
  { signal, isStillAdmitted }: WatchedRequest,
  scopes: ScopeMap,
  checkResource: () => Promise<unknown> = async () => undefined,
): AccessWatch {
  // Not AbortSignal.any: Node keeps a combined signal, and with it the whole request, for as long as
  // anything listens to it.
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  };
  const abort = () => {
    stop();
    ended.abort(signal.reason);
  };
  const checkAccess = async () => {
    const isAdmitted = await isStillAdmitted(scopes);
    if (isStopped) return;
    const isAllowed = isAdmitted && (await isNotDenied(checkResource));
    if (isStopped) return;
    if (isAllowed) scheduleCheck();
    else ended.abort(new AppError('FORBIDDEN', 'Your access has ended', 'ACCESS_ENDED'));
  };
  const scheduleCheck = () => {
    timer = setTimeout(() => void checkAccess(), intervalMs).unref();
  };
  if (signal.aborted) abort();
  else {
    scheduleCheck();
    signal.addEventListener('abort', abort, { once: true });
  }
  return { signal: ended.signal, stop };
}

const denialCodes = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'FEATURE_DISABLED', 'NOT_FOUND']);

/** An unreachable database does not count as a denial. */
export const isNotDenied = (check: () => Promise<unknown>): Promise<boolean> =>
  check().then(
    () => true,
    (error: unknown) => !(error instanceof AppError && denialCodes.has(error.code)),
  );
