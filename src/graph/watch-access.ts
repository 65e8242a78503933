import { AppError } from '../platform/errors.ts';
import type { Context } from './context.ts';

const everyMs = 500;

type Watched = Pick<Context, 'signal' | 'isStillAdmitted'>;
export type AccessWatch = { signal: AbortSignal; stop: () => void };

/**
 * For an answer that takes long: its signal is aborted when the client leaves, and within about a
 * second after the key is revoked, the session ends, the person is removed or loses a role, or
 * `check` is refused. Every process looks for itself, so it makes no difference where the access
 * was taken away. `stop` ends the watch.
 */
export function watchAccess(
  { signal, isStillAdmitted }: Watched,
  check: () => Promise<unknown>,
): AccessWatch {
  const lost = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOver = signal.aborted;
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
  };
  const look = async () => {
    const isAllowed = (await isStillAdmitted()) && (await isNotRefused(check));
    if (isOver) return;
    if (isAllowed) lookLater();
    else lost.abort(new AppError('FORBIDDEN', 'Your access has ended'));
  };
  const lookLater = () => {
    timer = setTimeout(() => void look(), everyMs).unref();
  };
  if (!isOver) lookLater();
  signal.addEventListener('abort', stop, { once: true });
  return { signal: AbortSignal.any([signal, lost.signal]), stop };
}

const refusals = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'FEATURE_DISABLED', 'NOT_FOUND']);

/** A database that is out of reach takes nobody's access away. */
export const isNotRefused = (check: () => Promise<unknown>): Promise<boolean> =>
  check().then(
    () => true,
    (error: unknown) => !(error instanceof AppError && refusals.has(error.code)),
  );
