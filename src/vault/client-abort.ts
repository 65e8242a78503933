/**
 * Returns a controller that aborts when the client disconnects. Code that passes a signal on must use
 * this one: after AbortSignal.any has combined the request's own signal (an implementation of
 * the front door) with others, that signal reports "not aborted" for ever.
 */
export function clientAbort({ signal }: Request): AbortController {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort(), { once: true });
  return controller;
}
