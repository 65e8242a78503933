import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from './log.ts';

/** Where a caller stands in its window. */
export type Allowance = { limit: number; remaining: number; resetAtSeconds: number; retryAfterSeconds: number; exceeded: boolean };

export type Limits = {
  /** Counts one request of this caller; the window begins with its first. A caller has one window, whoever counts. */
  take(caller: string, limit: number, windowSeconds?: number): Promise<Allowance>;
  /** Takes one request of this caller back. */
  giveBack(caller: string, windowSeconds?: number): Promise<void>;
  close(): Promise<void>;
};

/** Without Redis each process counts alone. While Redis is away, likewise, and the log says so. */
export async function createLimits(options: { redisUrl?: string | undefined; windowSeconds?: number; log: Log }): Promise<Limits> {
  const { redisUrl, windowSeconds = 60, log } = options;
  const memory = new RateLimiterMemory(unbounded(windowSeconds));
  if (!redisUrl) return { ...countedBy(memory, windowSeconds), close: async () => {} };

  const redis = new Redis(redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1, connectTimeout: 2_000, lazyConnect: true });
  redis.on('error', (error) => log.warn({ err: error }, 'Redis is out of reach: limits are counted by each process alone'));
  redis.on('ready', () => log.info('Redis is there: limits are counted together'));
  // A first request that Redis does not count would be one too many; a Redis that is away must not stop the start.
  await redis.connect().catch(() => undefined);
  const shared = new RateLimiterRedis({ ...unbounded(windowSeconds), storeClient: redis, keyPrefix: 'atrium:limit', insuranceLimiter: memory });
  return { ...countedBy(shared, windowSeconds), close: async () => redis.disconnect() };
}

const countedBy = (limiter: RateLimiterAbstract, usualSeconds: number): Omit<Limits, 'close'> => ({
  take: (caller, limit, windowSeconds = usualSeconds) => take(limiter, caller, limit, windowSeconds),
  giveBack: async (caller, windowSeconds = usualSeconds) => void (await limiter.reward(caller, 1, { customDuration: windowSeconds })),
});

// The library only counts; the limit is compared here, because each key can have its own.
const unbounded = (windowSeconds: number) => ({ points: Number.MAX_SAFE_INTEGER, duration: windowSeconds });

async function take(limiter: RateLimiterAbstract, caller: string, limit: number, windowSeconds: number): Promise<Allowance> {
  const { consumedPoints, msBeforeNext } = await limiter.consume(caller, 1, { customDuration: windowSeconds });
  // -1 says that the counter carries no expiry yet.
  const waitMs = msBeforeNext >= 0 ? msBeforeNext : windowSeconds * 1000;
  return {
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    resetAtSeconds: Math.ceil((Date.now() + waitMs) / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    exceeded: consumedPoints > limit,
  };
}
