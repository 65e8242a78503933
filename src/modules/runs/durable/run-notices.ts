export type RunNotices = ReturnType<typeof createRunNotices>;

/** `changed` resolves at the next change in this process, when the time is over, or by `cancel`. */
export type RunNotice = { changed: Promise<void>; cancel: () => void };

/**
 * Tells the readers of a run in this process that it has changed. Readers in other processes poll.
 * NOTIFY would tell them sooner, but all transactions that notify commit one after the other, and a
 * listener needs a connection of its own, which a pooler in transaction mode cannot give it.
 */
export function createRunNotices() {
  const waiting = new Map<string, Set<() => void>>();
  return {
    changed(runId: string): void {
      for (const cancel of waiting.get(runId) ?? []) cancel();
    },
    next(runId: string, ms: number): RunNotice {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = waiting.get(runId) ?? new Set();
      const cancel = () => {
        clearTimeout(timer);
        waiters.delete(cancel);
        if (waiters.size === 0) waiting.delete(runId);
        resolve();
      };
      const timer = setTimeout(cancel, ms);
      waiting.set(runId, waiters.add(cancel));
      return { changed: promise, cancel };
    },
  };
}
