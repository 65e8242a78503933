import type { Sender } from '../../graph/admission.ts';
import { AppError } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { type Limits, limitHeaders } from '../../platform/limits.ts';

const unknownAMinute = 60;
const steadyReads = 2;
const steadySeconds = 1;
// So many keys more than the limit can be looked for, where a network sends them all at the same
// moment.
const atOncePerNetwork = 8;
const atOnceMax = 64;
const waitingMax = 20_000;
const waitingPerNetworkMax = 5_000;

// No key that there will ever be is among those that were looked for and not found: keys are
// random. So they can be remembered for long.
const rememberedMs = 600_000;
const rememberedMax = 20_000;

const never = new AbortController().signal;

/**
 * What is known of keys that open nothing. A network that has sent sixty of them within a minute
 * has two keys a second looked for that this process has not seen before: an office whose address
 * is shared with an attacker can still begin to use a key. Keys that are found are never counted; a
 * few are looked for at a time, so that many at the same moment do not get past the limit.
 */
export function createUnknownKeys({ limits }: { limits: Limits }) {
  const unknown = new Map<string, { untilMs: number; refusal: string }>();
  const turns = createFairQueue({
    ...{
      concurrencyMax: atOnceMax,
      concurrencyPerTenantMax: atOncePerNetwork,
      waitingMax,
      waitingPerTenantMax: waitingPerNetworkMax,
    },
    refusal: () => tooMany(1),
  });

  async function requireAllowance({ network, headers }: Sender): Promise<void> {
    const { remaining } = await limits.look(countOf(network), unknownAMinute);
    if (remaining > 0) return;
    const steady = await limits.take(`unknown-key-reads:${network}`, steadyReads, steadySeconds);
    if (!steady.exceeded) return;
    Object.assign(headers, limitHeaders(steady));
    throw tooMany(steady.retryAfterSeconds);
  }

  return {
    /** What the sender of a key is told that is known to open nothing. */
    refusalOf(name: string, now: number): string | undefined {
      const known = unknown.get(name);
      return known && known.untilMs > now ? known.refusal : undefined;
    },
    note(name: string, now: number, refusal: string): void {
      if (unknown.size >= rememberedMax) unknown.clear();
      unknown.set(name, { untilMs: now + rememberedMs, refusal });
    },
    /**
     * Looks for a key that this process has not seen before, unless the sender's network has sent
     * too many that open nothing.
     */
    async lookFor<Key>(
      sender: Sender,
      look: () => Promise<Key | undefined>,
    ): Promise<Key | undefined> {
      const ticket = turns.join(sender.network);
      try {
        await ticket.turn(never);
        await requireAllowance(sender);
        const found = await look();
        if (found === undefined) await limits.take(countOf(sender.network), unknownAMinute);
        return found;
      } finally {
        ticket.leave();
      }
    },
  };
}

const countOf = (network: string) => `unknown-keys:${network}`;

const tooMany = (retryAfterSeconds: number) =>
  new AppError(
    'RATE_LIMITED',
    'Too many unknown API keys came from this network, so this one was not looked for; try again in a moment',
    undefined,
    retryAfterSeconds,
  );
