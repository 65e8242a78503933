import type { RequestSender } from '../../access/admission.ts';
import { rateLimited } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { limitHeaders, type RateLimits } from '../../platform/limits.ts';

const unknownKeysPerMinuteMax = 60;
const exceededReadsMax = 2;
const exceededWindowSeconds = 1;
// A network that sends all its keys at the same time gets at most this many look-ups beyond the
// limit.
const concurrencyPerNetworkMax = 8;
const concurrencyMax = 64;
const waitingMax = 20_000;
const waitingPerNetworkMax = 5_000;

// Keys are random, so a key that does not exist will not be created later. Unknown keys can be
// cached for long.
const cachedMs = 600_000;
const cachedMax = 20_000;

const neverAborted = new AbortController().signal;

/**
 * Caches invalid keys and limits the look-ups of keys that this process has not seen before. A
 * network that has sent sixty invalid keys within a minute gets two look-ups per second, so that an
 * office that shares its address with an attacker can still start to use a key. Valid keys never
 * count. Few look-ups run at the same time, so that many parallel requests cannot exceed the limit.
 */
export function createUnknownKeys({ limits }: { limits: RateLimits }) {
  const rejections = new Map<string, { cachedUntil: number; message: string }>();
  const queue = createFairQueue({
    ...{
      concurrencyMax,
      concurrencyPerTenantMax: concurrencyPerNetworkMax,
      waitingMax,
      waitingPerTenantMax: waitingPerNetworkMax,
    },
    refusal: () => tooManyKeys(1),
  });

  async function requireAllowance({ network, headers }: RequestSender): Promise<void> {
    const { remaining } = await limits.peek(counterOf(network), unknownKeysPerMinuteMax);
    if (remaining > 0) return;
    const count = await limits.consume(
      `unknown-key-reads:${network}`,
      exceededReadsMax,
      exceededWindowSeconds,
    );
    if (!count.exceeded) return;
    Object.assign(headers, limitHeaders(count));
    throw tooManyKeys(count.retryAfterSeconds);
  }

  return {
    /** The error message for a key that is known to be invalid. */
    rejectionOf(name: string): string | undefined {
      const cached = rejections.get(name);
      return cached && cached.cachedUntil > performance.now() ? cached.message : undefined;
    },
    remember(name: string, message: string): void {
      if (rejections.size >= cachedMax) rejections.clear();
      rejections.set(name, { cachedUntil: performance.now() + cachedMs, message });
    },
    /**
     * Looks up a key that this process has not seen before, unless the sender's network has sent
     * too many invalid keys.
     */
    async lookUp<Key>(
      sender: RequestSender,
      readKey: () => Promise<Key | undefined>,
    ): Promise<Key | undefined> {
      const ticket = queue.join(sender.network);
      try {
        await ticket.turn(neverAborted);
        await requireAllowance(sender);
        const key = await readKey();
        if (key === undefined)
          await limits.consume(counterOf(sender.network), unknownKeysPerMinuteMax);
        return key;
      } finally {
        ticket.leave();
      }
    },
  };
}

const counterOf = (network: string) => `unknown-keys:${network}`;

const tooManyKeys = (retryAfterSeconds: number) =>
  rateLimited(
    'Too many unknown API keys came from this network, so this one was not looked for; try again in a moment',
    retryAfterSeconds,
  );
