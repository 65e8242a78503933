import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { EventNotices } from './event-notices.ts';
import { type FeedPage, type FeedRequest, readFeed } from './read-feed.ts';

type AwaitDependencies = {
  database: Database;
  clock: Clock;
  notices: EventNotices;
  /** Aborted when the reader disconnects or loses its access. */
  signal: AbortSignal;
};

/** Reads events, or waits until there is one of the requested types, for this many seconds. */
export async function awaitEvents(
  { seconds, ...request }: FeedRequest & { seconds: number },
  { notices, signal, ...dependencies }: AwaitDependencies,
): Promise<FeedPage> {
  const until = performance.now() + seconds * 1_000;
  let after = request.after;
  for (;;) {
    const { page, horizon } = await readFeed({ ...request, after }, dependencies);
    const ms = until - performance.now();
    signal.throwIfAborted();
    if (page.events.length > 0 || ms <= 0 || notices.isClosed()) return page;
    after = page.next;
    await notices.next({ organizationId: request.organizationId, horizon }, { ms, signal });
    signal.throwIfAborted();
  }
}
