import { createPolling, repeatEvery } from '../../../platform/repeat.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  extendLeases,
  organizationsWithWork,
  releaseDelivery,
} from './claim-deliveries.ts';
import { type QueueDependencies, queueEvents } from './queue-events.ts';
import { queueReplays } from './queue-replays.ts';
import { recordOutcome } from './record-outcome.ts';
import { type NoticeDependencies, sendNotices } from './send-notices.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { type TryOptions, type TryOutcome, tryDelivery } from './try-delivery.ts';

export type WebhookDeliverer = {
  /** Looks for work at once instead of at the next poll. */
  wake(): void;
  /** Stops. What is not answered within some seconds is released, so that another process sends it. */
  stop(): Promise<void>;
};

export type DelivererDependencies = QueueDependencies &
  NoticeDependencies & { tries: Omit<TryOptions, 'clock'> };

const pollEveryMs = 500;
const extendEveryMs = 5_000;
const sweepEveryMs = 5_000;
const triesAtOnce = 64;
/** Of those, the places that only organizations without a try in progress get, one each. */
const reservedTries = 16;
/** Requests in progress at a stop may be answered for this long. */
const graceMs = 3_000;

class Stopped extends Error {}

/** Delivers webhooks. Any number of processes can do so at the same time. */
export function deliverWebhooks(dependencies: DelivererDependencies): WebhookDeliverer {
  const { database, clock, log } = dependencies;
  const stopping = new AbortController();
  const interrupting = new AbortController();
  const running = new Map<Promise<void>, ClaimedDelivery>();
  const { wake, poll } = createPolling({ everyMs: pollEveryMs, signal: stopping.signal });

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const { signal } = interrupting;
    let outcome: TryOutcome;
    try {
      outcome = await tryDelivery(delivery, { ...dependencies.tries, clock }, signal);
    } catch (error) {
      if (error instanceof Stopped) return releaseDelivery(delivery, { database });
      // It counts as a failed try, so that it is not repeated for ever.
      log.error({ err: error, delivery: delivery.id }, 'A webhook could not be tried');
      outcome = {
        status: null,
        error: 'Atrium could not make the request. The operator finds the reason in the log.',
        answer: null,
        retryAfterMs: undefined,
      };
    }
    await recordOutcome(delivery, outcome, dependencies);
  }

  function start(delivery: ClaimedDelivery): void {
    const attempting = attempt(delivery)
      .catch((error: unknown) =>
        log.warn(
          { err: error, delivery: delivery.id },
          'The result of a webhook could not be stored; it is tried again once its lease has ended',
        ),
      )
      .then(() => {
        running.delete(attempting);
        wake();
      });
    running.set(attempting, delivery);
  }

  const heldIds = () => [...running.values()].map(({ id }) => id);

  /** Starts what is due. The last places are for organizations that have no try in progress. */
  async function startDue(): Promise<void> {
    if (running.size >= triesAtOnce) return;
    for (const { organizationId, busy } of await organizationsWithWork(dependencies, heldIds())) {
      const free = triesAtOnce - running.size;
      if (free <= 0 || stopping.signal.aborted) return;
      const max = Math.max(free - reservedTries, busy === 0 ? 1 : 0);
      if (max === 0) continue;
      for (const delivery of await claimDeliveries(
        { organizationId, max, held: heldIds() },
        dependencies,
      ))
        start(delivery);
    }
  }

  async function queue(): Promise<boolean> {
    const events = await queueEvents(dependencies);
    const replays = await queueReplays(dependencies);
    if (events.isAny || replays.isAny) wake();
    return events.hasMore || replays.hasMore;
  }

  const extending = setInterval(() => {
    if (running.size === 0) return;
    extendLeases([...running.values()], { database }).catch((error: unknown) =>
      log.warn({ err: error }, 'The leases of webhooks could not be extended'),
    );
  }, extendEveryMs);
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const loops = [
    poll(queue, warn('Events for webhooks could not be queued yet')),
    poll(startDue, warn('Webhooks could not be claimed yet')),
    poll(() => sendNotices(dependencies), warn('Mails about webhooks could not be sent yet')),
  ];
  const sweeping = repeatEvery((signal) => sweepDeliveries(dependencies, signal), {
    everyMs: sweepEveryMs,
    failed: warn('Old webhook deliveries could not be removed yet'),
  });
  return {
    wake,
    async stop() {
      stopping.abort();
      const interrupt = setTimeout(() => interrupting.abort(new Stopped()), graceMs);
      await Promise.all([...loops, sweeping.stop()]);
      await Promise.all(running.keys());
      clearTimeout(interrupt);
      clearInterval(extending);
    },
  };
}
