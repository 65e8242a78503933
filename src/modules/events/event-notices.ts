import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { createEntryCounts, type EntryCount } from './count-entries.ts';
import { readHorizon } from './read-feed.ts';

export type EventNotices = ReturnType<typeof createEventNotices>;

type Waiter = {
  organizationId: string;
  /** The transaction from which on entries are new to the reader. */
  horizon: string;
  wake: () => void;
};

/** Gets the target types of entries that are new; types of earlier entries can be among them. */
export type EntryListener = (targetTypes: readonly string[]) => void;

type Watch = {
  organizationId: string;
  horizon: string;
  /** How many entries from the horizon on were seen, of transactions that are later than it. */
  seen: number;
  listeners: Set<EntryListener>;
  started: Promise<unknown>;
};

const pollEveryMs = 200;
// A live query is executed after the poll, and its result shall arrive within 300 ms.
const watchEveryMs = 100;
// While the database cannot be reached.
const retryAfterMs = 1_000;

/**
 * Tells readers that an organization has new entries. One statement asks for all readers of the
 * process, and only while there are some. NOTIFY would need a connection of its own, which a pooler
 * in transaction mode cannot give, and makes all writers commit one after the other.
 */
export function createEventNotices({ database, log }: { database: Database; log: Log }) {
  const countEntries = createEntryCounts({ database });
  const waiters = new Set<Waiter>();
  const watches = new Map<string, Watch>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function poll(): Promise<void> {
    const waiting = [...waiters];
    const watching = [...watches.values()].filter(({ horizon }) => horizon !== '');
    const { counts, end } = await countEntries([...waiting, ...watching]);
    for (const [index, { wake }] of waiting.entries()) if (counts.get(index)?.ended) wake();
    for (const [index, watch] of watching.entries())
      report(watch, end, counts.get(waiting.length + index));
  }

  // A feed shows an entry once every earlier transaction has ended. A watch reports it as soon as it
  // is committed: a long transaction of another program does not delay it.
  function report(watch: Watch, end: string, count: EntryCount | undefined): void {
    const { total, ended, targetTypes } = count ?? { total: 0, ended: 0, targetTypes: [] };
    const isNew = total > watch.seen;
    watch.horizon = end;
    watch.seen = total - ended;
    if (isNew) for (const listener of watch.listeners) listener(targetTypes);
  }

  function schedule(ms = watches.size > 0 ? watchEveryMs : pollEveryMs): void {
    if (timer || isClosed || waiters.size + watches.size === 0) return;
    timer = setTimeout(async () => {
      const isAnswered = await poll().then(
        () => true,
        (err: unknown) => log.warn({ err }, 'New events could not be looked for'),
      );
      timer = undefined;
      schedule(isAnswered ? undefined : retryAfterMs);
    }, ms);
  }

  function beginWatch(organizationId: string): Watch {
    const watch: Watch = {
      ...{ organizationId, horizon: '', seen: 0, listeners: new Set() },
      started: readHorizon(database.unscoped).then((horizon) => {
        watch.horizon = horizon;
        schedule();
      }),
    };
    return watch;
  }

  return {
    /**
     * Resolves once the organization has entries from this transaction on, after the time, when the
     * reader disconnects, and when the process stops.
     */
    async next(
      { organizationId, horizon }: Pick<Waiter, 'organizationId' | 'horizon'>,
      { ms, signal }: { ms: number; signal: AbortSignal },
    ): Promise<void> {
      if (isClosed || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter = { organizationId, horizon, wake: () => resolve() };
      const timeout = setTimeout(waiter.wake, ms);
      signal.addEventListener('abort', waiter.wake, { once: true });
      waiters.add(waiter);
      schedule();
      await promise;
      clearTimeout(timeout);
      signal.removeEventListener('abort', waiter.wake);
      waiters.delete(waiter);
    },
    /**
     * Reports the entries of an organization until the returned function is called. What is
     * committed after the promise has resolved is reported.
     */
    async watch(organizationId: string, listener: EntryListener): Promise<() => void> {
      const watch = watches.get(organizationId) ?? beginWatch(organizationId);
      watches.set(organizationId, watch);
      watch.listeners.add(listener);
      const stop = () => {
        watch.listeners.delete(listener);
        if (watch.listeners.size === 0 && watches.get(organizationId) === watch)
          watches.delete(organizationId);
      };
      try {
        await watch.started;
      } catch (error) {
        stop();
        throw error;
      }
      return stop;
    },
    isClosed: () => isClosed,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      for (const { wake } of waiters) wake();
    },
  };
}
