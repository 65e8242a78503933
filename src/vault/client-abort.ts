/**
 * Ends when the sender is gone. The front door's signal is a kind of its own: once AbortSignal.any
 * has joined it to others, it says "not aborted" to everybody else for ever. What goes on to other
 * calls is given this one.
 */
export function clientAbort({ signal }: Request): AbortController {
  const gone = new AbortController();
  if (signal.aborted) gone.abort();
  else signal.addEventListener('abort', () => gone.abort(), { once: true });
  return gone;
}
