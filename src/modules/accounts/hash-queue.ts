import { AppError } from '../../platform/errors.ts';

/** Who waits for a hash. */
export type HashTurn = { network: string; isKnownDevice: boolean };

type QueueLimits = {
  /** Hashes that are computed at the same time. */
  atOnceMax: number;
  /** How many may wait from all networks together, and likewise from all known devices together. */
  waitingMax: number;
  waitingOfNetworkMax: number;
};

type Start = () => void;
type Lane = Map<string, Start[]>;

const retryAfterSeconds = 2;

/**
 * A bounded queue for password hashes. Known devices go first, and networks take turns, so that one
 * network that sends a hundred sign-ins delays the others by one hash. Who finds the queue full is
 * refused at once and told when to try again.
 */
export function createHashQueue({ atOnceMax, waitingMax, waitingOfNetworkMax }: QueueLimits) {
  let running = 0;
  const known: Lane = new Map();
  const others: Lane = new Map();
  const trusted: Lane = new Map();

  function laneOf(turn: HashTurn | undefined): Lane {
    if (!turn) return trusted;
    const lane = turn.isKnownDevice ? known : others;
    if (
      (lane.get(turn.network)?.length ?? 0) >= waitingOfNetworkMax ||
      lengthOf(lane) >= waitingMax
    ) {
      throw new AppError(
        'UNAVAILABLE',
        'Too many people are signing in at the moment. Please try again in a few seconds',
        'BUSY',
        retryAfterSeconds,
      );
    }
    return lane;
  }

  async function waitIn(lane: Lane, network: string): Promise<void> {
    await new Promise<void>((start) => {
      const waiting = lane.get(network) ?? [];
      waiting.push(start);
      lane.set(network, waiting);
    });
  }

  return {
    async run<T>(work: () => Promise<T>, turn?: HashTurn): Promise<T> {
      if (running >= atOnceMax) await waitIn(laneOf(turn), turn?.network ?? '');
      else running += 1;
      try {
        return await work();
      } finally {
        // The next one takes over this place directly, so that a new request cannot get in between.
        const next = nextIn(known) ?? nextIn(trusted) ?? nextIn(others);
        if (next) next();
        else running -= 1;
      }
    },
  };
}

const lengthOf = (lane: Lane): number =>
  [...lane.values()].reduce((sum, { length }) => sum + length, 0);

/** The first of the network whose turn it is; that network then goes to the end. */
function nextIn(lane: Lane): Start | undefined {
  const [network, waiting] = lane.entries().next().value ?? [];
  if (network === undefined || !waiting) return undefined;
  const next = waiting.shift();
  lane.delete(network);
  if (waiting.length > 0) lane.set(network, waiting);
  return next;
}
