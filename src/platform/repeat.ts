import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the work in progress has ended. */
export type RepeatedWork = { stop: () => Promise<void> };

type RepeatOptions = {
  /** The pause after each time. */
  everyMs: number | (() => number);
  /** The pause before the first time. */
  firstInMs?: number;
  failed: (error: unknown) => void;
};

/** Repeats work with pauses. `stopping` is aborted by `stop`. */
export function repeatEvery(
  work: (stopping: AbortSignal) => Promise<unknown>,
  { everyMs, firstInMs = 0, failed }: RepeatOptions,
): RepeatedWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
  async function repeat(): Promise<void> {
    await rest(firstInMs);
    while (!signal.aborted) {
      await work(signal).catch(failed);
      await rest(typeof everyMs === 'number' ? everyMs : everyMs());
    }
  }
  const repeating = repeat();
  return {
    async stop() {
      stopping.abort();
      await repeating;
    },
  };
}

/**
 * For loops that look for work: at once after `wake`, and after a pause because other processes do
 * not call it. All of them end when the signal is aborted.
 */
export function createPolling({ everyMs, signal }: { everyMs: number; signal: AbortSignal }) {
  let next = Promise.withResolvers<void>();
  const wake = () => {
    next.resolve();
    next = Promise.withResolvers();
  };
  signal.addEventListener('abort', wake, { once: true });
  return {
    wake,
    /** Repeats work, without a pause for as long as it returns true. Resolves after the last time. */
    async poll(work: () => Promise<unknown>, failed: (error: unknown) => void): Promise<void> {
      while (!signal.aborted) {
        // The promise is taken before the work, so a wake-up meanwhile is not lost.
        const woken = next.promise;
        if ((await work().catch(failed)) === true) continue;
        const timer = setTimeout(wake, everyMs);
        await woken;
        clearTimeout(timer);
      }
    },
  };
}
