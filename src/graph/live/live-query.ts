import type { QuerySource } from './read-sources.ts';

export type LiveResult = {
  /** The answer as JSON. */
  text: string;
  hasErrors: boolean;
};

export type LiveReader = {
  /** Gets each result that differs from the one before. */
  show: (text: string) => void;
  /** Gets the reason if the access of the caller has ended. */
  end: (reason?: Error) => void;
};

export type LiveQuery = ReturnType<typeof createLiveQuery>;

const inProgressMs = 1_000;
const afterErrorMs = 5_000;
const afterFailureMs = 1_000;

/**
 * A query that is executed again when its result may have changed, for all its readers. Any number
 * of changes during an execution causes one more.
 */
export function createLiveQuery({
  watchChanges,
  execute,
  source,
  failed,
}: {
  /** Reports the types of objects that have changed, until the returned function is called. */
  watchChanges: (changed: (targetTypes: readonly string[]) => void) => Promise<() => void>;
  execute: () => Promise<LiveResult>;
  source: QuerySource;
  /** Gets the error if the query could not be executed again. It is tried again a second later. */
  failed: (error: unknown) => void;
}) {
  const readers = new Set<LiveReader>();
  let latest: string | undefined;
  let isExecuting = true;
  let isOutdated = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let stopWatching: (() => void) | undefined;

  // Changes are watched before the first execution, so none is missed in between.
  async function start(): Promise<void> {
    const stop = await watchChanges((targetTypes) => {
      if (source.isChangedBy(targetTypes)) refresh();
    });
    if (isClosed) stop();
    else {
      stopWatching = stop;
      await executeUntilCurrent();
    }
  }

  async function executeUntilCurrent(): Promise<void> {
    isExecuting = true;
    try {
      let result: LiveResult;
      do {
        isOutdated = false;
        result = await execute();
        if (isClosed) return;
        publish(result.text);
      } while (isOutdated);
      schedule(pauseAfter(result));
    } finally {
      isExecuting = false;
    }
  }

  function publish(text: string): void {
    if (text === latest) return;
    latest = text;
    for (const reader of readers) reader.show(text);
  }

  function pauseAfter({ text, hasErrors }: LiveResult): number {
    if (source.isInProgress(text)) return inProgressMs;
    // Queries that were opened at the same time are not executed at the same time for ever.
    const everyMs = source.everyMs * (0.9 + Math.random() * 0.2);
    return hasErrors ? Math.min(everyMs, afterErrorMs) : everyMs;
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(refresh, ms).unref();
  }

  function refresh(): void {
    if (isClosed) return;
    if (isExecuting) {
      isOutdated = true;
      return;
    }
    clearTimeout(timer);
    executeUntilCurrent().catch((error: unknown) => {
      failed(error);
      schedule(afterFailureMs);
    });
  }

  const started = start();
  return {
    /** Resolves with the first result, and rejects if there is none. */
    started,
    /** Shows the latest result, and then each later one. */
    add(reader: LiveReader): void {
      readers.add(reader);
      if (latest !== undefined) reader.show(latest);
    },
    /** Returns whether there are other readers. */
    remove(reader: LiveReader): boolean {
      readers.delete(reader);
      return readers.size > 0;
    },
    end(reason?: Error): void {
      for (const reader of [...readers]) reader.end(reason);
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      stopWatching?.();
    },
  };
}
