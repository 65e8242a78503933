import type { ReadyRun } from './run-assistant.ts';
import type { RunEvent, RunResult } from './run-result.ts';

export type StreamedEvent = RunEvent | { type: 'done'; result: RunResult };

/**
 * A run, event by event, the result last. Who stops reading ends the run at once, also while it
 * waits for its model: a generator would hear of it only with the next event.
 */
export function streamRun(
  run: ReadyRun,
  left: AbortSignal,
): AsyncIterableIterator<StreamedEvent, undefined> {
  const events: StreamedEvent[] = [];
  const reader = new AbortController();
  let outcome: { error?: unknown } | undefined;
  let wake = () => {};

  const settle = (how: { error?: unknown }) => {
    outcome ??= how;
    wake();
  };
  const emit = (event: StreamedEvent) => {
    events.push(event);
    wake();
  };
  // The stream ends at once, also where the run takes a while to notice.
  const leave = () => {
    reader.abort(left.reason);
    settle({ error: left.reason });
  };
  if (left.aborted) leave();
  left.addEventListener('abort', leave, { once: true });
  run({ signal: reader.signal, emit }).then(
    (result) => {
      emit({ type: 'done', result });
      settle({});
    },
    (error: unknown) => settle({ error }),
  );

  return {
    async next() {
      while (events.length === 0 && !outcome)
        await new Promise<void>((resolve) => (wake = resolve));
      const value = events.shift();
      if (value) return { done: false, value };
      if (outcome && 'error' in outcome) {
        const { error } = outcome;
        outcome = {};
        throw error;
      }
      return { done: true, value: undefined };
    },
    async return() {
      settle({});
      reader.abort();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
