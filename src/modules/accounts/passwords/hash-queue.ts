import { AppError } from '../../../platform/errors.ts';

/** The network and the kind of device that requested a hash. */
export type HashRequester = { network: string; isKnownDevice: boolean };

type QueueLimits = {
  /** How many hashes are computed at the same time. */
  concurrencyMax: number;
  /**
   * How many requests of all known devices together may wait, and likewise of all unknown devices.
   */
  waitingMax: number;
  waitingOfNetworkMax: number;
};

type StartHash = () => void;
type NetworkQueues = Map<string, StartHash[]>;

const retryAfterSeconds = 2;

/**
 * A bounded queue for password hashes. Known devices go first, and networks take turns, so that a
 * network that sends a hundred sign-ins delays every other network by one hash. A request that
 * meets a full queue is rejected at once, with the time after which to retry.
 */
export function createHashQueue({ concurrencyMax, waitingMax, waitingOfNetworkMax }: QueueLimits) {
  let running = 0;
  const knownDevices: NetworkQueues = new Map();
  const unknownDevices: NetworkQueues = new Map();
  const internal: NetworkQueues = new Map();

  function queueFor(requester: HashRequester | undefined): NetworkQueues {
    if (!requester) return internal;
    const queue = requester.isKnownDevice ? knownDevices : unknownDevices;
    if (
      (queue.get(requester.network)?.length ?? 0) >= waitingOfNetworkMax ||
      totalLength(queue) >= waitingMax
    ) {
      throw new AppError(
        'UNAVAILABLE',
        'Too many people are signing in at the moment. Please try again in a few seconds',
        'BUSY',
        retryAfterSeconds,
      );
    }
    return queue;
  }

  async function waitInQueue(queue: NetworkQueues, network: string): Promise<void> {
    await new Promise<void>((start) => {
      const waiting = queue.get(network) ?? [];
      waiting.push(start);
      queue.set(network, waiting);
    });
  }

  return {
    async run<T>(compute: () => Promise<T>, requester?: HashRequester): Promise<T> {
      if (running >= concurrencyMax)
        await waitInQueue(queueFor(requester), requester?.network ?? '');
      else running += 1;
      try {
        return await compute();
      } finally {
        // The next hash takes over the slot directly, so that a new request cannot overtake those
        // that wait.
        const next = takeNext(knownDevices) ?? takeNext(internal) ?? takeNext(unknownDevices);
        if (next) next();
        else running -= 1;
      }
    },
  };
}

const totalLength = (queue: NetworkQueues): number =>
  [...queue.values()].reduce((sum, { length }) => sum + length, 0);

/**
 * Removes and returns the first request of the network whose turn it is. That network goes to the
 * end of the queue.
 */
function takeNext(queue: NetworkQueues): StartHash | undefined {
  const [network, waiting] = queue.entries().next().value ?? [];
  if (network === undefined || !waiting) return undefined;
  const next = waiting.shift();
  queue.delete(network);
  if (waiting.length > 0) queue.set(network, waiting);
  return next;
}
