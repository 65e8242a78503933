import { AppError } from '../platform/errors.ts';
import type { Context } from './context.ts';

const intervalMs = 500;

type WatchedRequest = Pick<Context, 'signal' | 'isStillAdmitted'>;
export type AccessWatch = { signal: AbortSignal; stop: () => void };

/**
 * Watches the access of a long-running response. The returned signal is aborted when the client
 * disconnects, and within about a second after the key is revoked, the session ends, the person is
 * removed or loses a role, or `checkResource` is denied. Every process checks for itself, so the
 * change can happen in any process. `stop` ends the watch.
 */
export function watchAccess(
  { signal, isStillAdmitted }: WatchedRequest,
  checkResource: () => Promise<unknown>,
): AccessWatch {
  const accessEnded = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = signal.aborted;
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  const checkAccess = async () => {
    const isAllowed = (await isStillAdmitted()) && (await isNotDenied(checkResource));
    if (isStopped) return;
    if (isAllowed) scheduleCheck();
    else accessEnded.abort(new AppError('FORBIDDEN', 'Your access has ended'));
  };
  const scheduleCheck = () => {
    timer = setTimeout(() => void checkAccess(), intervalMs).unref();
  };
  if (!isStopped) scheduleCheck();
  signal.addEventListener('abort', stop, { once: true });
  return { signal: AbortSignal.any([signal, accessEnded.signal]), stop };
}

const denialCodes = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'FEATURE_DISABLED', 'NOT_FOUND']);

/** An unreachable database does not count as a denial. */
export const isNotDenied = (check: () => Promise<unknown>): Promise<boolean> =>
  check().then(
    () => true,
    (error: unknown) => !(error instanceof AppError && denialCodes.has(error.code)),
  );
