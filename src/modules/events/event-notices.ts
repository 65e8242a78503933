import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { readHorizon } from './read-feed.ts';

export type EventNotices = ReturnType<typeof createEventNotices>;

type Waiter = {
  organizationId: string;
  /** The transaction from which on entries are new to the reader. */
  horizon: string;
  wake: () => void;
};

const pollEveryMs = 200;

/**
 * Tells readers that an organization has new entries. One statement asks for all readers of the
 * process, and only while there are some. NOTIFY would need a connection of its own, which a pooler
 * in transaction mode cannot give, and makes all writers commit one after the other.
 */
export function createEventNotices({
  database: { unscoped },
  log,
}: {
  database: Database;
  log: Log;
}) {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function poll(): Promise<void> {
    const asked = [...waiters];
    const end = await readHorizon(unscoped);
    // Readers belong to several organizations, so the statement has no tenant scope.
    const rows = await unscoped.sql<{ index: number }>`
      select w.index::int as index
      from unnest(${asked.map(({ organizationId }) => organizationId)}::text[], ${asked.map(({ horizon }) => horizon)}::bigint[])
        with ordinality as w (organization_id, horizon, index)
      where exists (
        select from audit_entries e
        where e.organization_id = w.organization_id and e.tx_id >= w.horizon and e.tx_id < ${end}::bigint)`;
    for (const { index } of rows) asked[index - 1]?.wake();
  }

  function schedule(): void {
    if (timer || isClosed || waiters.size === 0) return;
    timer = setTimeout(async () => {
      await poll().catch((err: unknown) => log.warn({ err }, 'New events could not be looked for'));
      timer = undefined;
      schedule();
    }, pollEveryMs);
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
    isClosed: () => isClosed,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      for (const { wake } of waiters) wake();
    },
  };
}
