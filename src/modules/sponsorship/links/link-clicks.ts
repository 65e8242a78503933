import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../../platform/limits.ts';
import type { Log } from '../../../platform/log.ts';
import { createMutex } from '../../../platform/mutex.ts';
import { networkOf } from '../../../platform/network-of.ts';
import { addLinkClicks, type LinkDayClicks } from './add-link-clicks.ts';

declare module '../../../access/context.ts' {
  interface Services {
    linkClicks: LinkClicks;
  }
}

export type LinkClicks = ReturnType<typeof createLinkClicks>;

const storeEveryMs = 10_000;
/**
 * The clicks of one network on one link that are counted in an hour, so that nobody inflates the
 * figures.
 */
const clicksPerNetworkMax = 200;
const windowSeconds = 3_600;

/**
 * Counts how often links are opened. A request only adds to a number in memory; every ten seconds
 * the numbers of all links are stored by one statement. If a process is killed, its last numbers
 * are lost.
 */
export function createLinkClicks({
  database,
  limits,
  clock,
  log,
}: {
  database: Database;
  limits: RateLimits;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}) {
  const counted = new Map<string, LinkDayClicks>();
  const counting = new Set<Promise<void>>();
  const exclusively = createMutex();

  function add({ token, day, clicks }: LinkDayClicks): void {
    const key = `${token} ${day}`;
    counted.set(key, { token, day, clicks: clicks + (counted.get(key)?.clicks ?? 0) });
  }

  async function addIfAllowed(token: string, clientAddress: string | undefined): Promise<void> {
    const day = clock().toISOString().slice(0, 10);
    const { exceeded } = await limits.consume(
      `link-clicks:${token}:${networkOf(clientAddress)}`,
      clicksPerNetworkMax,
      windowSeconds,
    );
    if (!exceeded) add({ token, day, clicks: 1 });
  }

  /** Stores what was counted. After an error it is stored the next time. */
  const store = (): Promise<void> => exclusively(storeCounted);

  async function storeCounted(): Promise<void> {
    await Promise.all(counting);
    if (counted.size === 0) return;
    const clicks = [...counted.values()];
    counted.clear();
    try {
      await addLinkClicks(clicks, { database, at: clock() });
    } catch (err) {
      clicks.forEach(add);
      log.warn({ err }, 'could not store the clicks of links');
    }
  }
  const timer = setInterval(() => void store(), storeEveryMs).unref();

  return {
    /** Counts an opening of an existing link. The request does not wait for it. */
    count(token: string, clientAddress: string | undefined): void {
      const click = addIfAllowed(token, clientAddress)
        .catch((err) => log.warn({ err }, 'could not count a click'))
        .finally(() => counting.delete(click));
      counting.add(click);
    },
    store,
    close(): Promise<void> {
      clearInterval(timer);
      return store();
    },
  };
}
