import type { ReadyRun } from './run-assistant.ts';
import type { RunEvent, RunResult } from './run-result.ts';

export type StreamedEvent = RunEvent | { type: 'done'; result: RunResult };

/**
 * Streams the events of a run; the last event contains the result. A reader that stops ends the run
 * at once, even while the run waits for its model. A generator would notice only at the next event.
 */
export function streamRun(
  run: ReadyRun,
  clientGone: AbortSignal,
): AsyncIterableIterator<StreamedEvent, undefined> {
  const events: StreamedEvent[] = [];
  const runController = new AbortController();
  let outcome: { error?: unknown } | undefined;
  let notify = () => {};

  const finish = (end: { error?: unknown }) => {
    clientGone.removeEventListener('abort', abortRun);
    outcome ??= end;
    notify();
  };
  const emit = (event: StreamedEvent) => {
    events.push(event);
    notify();
  };
  // The stream ends at once, even if the run takes a while to stop.
  const abortRun = () => {
    runController.abort(clientGone.reason);
    finish({ error: clientGone.reason });
  };
  if (clientGone.aborted) abortRun();
  clientGone.addEventListener('abort', abortRun, { once: true });
  run({ signal: runController.signal, emit }).then(
    (result) => {
      emit({ type: 'done', result });
      finish({});
    },
    (error: unknown) => finish({ error }),
  );

  return {
    async next() {
      while (events.length === 0 && !outcome)
        await new Promise<void>((resolve) => (notify = resolve));
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
      finish({});
      runController.abort();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
