import { AsyncLocalStorage } from 'node:async_hooks';
import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Log } from './log.ts';

/** The state of a caller's window. */
export type RateLimitStatus = {
  limit: number;
  remaining: number;
  resetAtSeconds: number;
  retryAfterSeconds: number;
  exceeded: boolean;
};

/** The headers of every response to a request that counts against a rate limit. */
export function limitHeaders({
  limit,
  remaining,
  resetAtSeconds,
}: RateLimitStatus): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetAtSeconds),
  };
}

export type RateLimits = {
  /**
   * Counts one request. The window starts with the caller's first request. Each caller has one
   * window, regardless of which part of the code counts.
   */
  consume(caller: string, limit: number, windowSeconds?: number): Promise<RateLimitStatus>;
  /** Reads the window without counting a request. */
  peek(caller: string, limit: number, windowSeconds?: number): Promise<RateLimitStatus>;
  /** Removes one counted request. */
  refund(caller: string, windowSeconds?: number): Promise<void>;
  close(): Promise<void>;
};

type RateLimitsOptions = {
  redisUrl?: string | undefined;
  windowSeconds?: number;
  log: Log;
  /** Set in each of several workers: the primary process counts for all of them. */
  worker?: number | undefined;
};

// How long a command waits for a Redis that keeps its connections open without answering; after
// that Redis is not asked again until it has reconnected. With a shorter time, a process that
// stalls for a second under load would mistake its own delay for a Redis outage.
const commandTimeoutMs = 3_000;

/**
 * Without Redis each process counts alone, and the workers of one primary process count together.
 * The same applies while Redis cannot be reached, which is logged.
 */
export async function createLimits({
  redisUrl,
  windowSeconds = 60,
  log,
  worker,
}: RateLimitsOptions): Promise<RateLimits> {
  const settings = unbounded(windowSeconds);
  const local =
    worker === undefined
      ? new RateLimiterMemory(settings)
      : new RateLimiterCluster({ ...settings, keyPrefix: 'atrium:limit' });
  // Each counter has a timer until its window ends, and a timer keeps everything that its request
  // has in AsyncLocalStorage.
  const outsideRequests = AsyncLocalStorage.snapshot();
  const countLocally: CountWith = (count) => outsideRequests(() => count(local));
  if (!redisUrl) return { ...createCounters(countLocally, windowSeconds), close: async () => {} };

  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    lazyConnect: true,
  });
  // The log gets one entry when Redis becomes unreachable and one when it is back, regardless of
  // the attempts in between.
  let isUnreachable = false;
  const logUnreachable = (error: unknown) => {
    if (!isUnreachable)
      log.warn(
        { err: error },
        'Redis cannot be reached: each process counts its rate limits alone',
      );
    isUnreachable = true;
  };
  redis.on('error', logUnreachable);
  // Many commands fail at the same moment, and each call of `redis.disconnect(true)` would add
  // another close listener.
  let isReconnecting = false;
  redis.on('close', () => {
    isReconnecting = false;
  });
  const reconnect = () => {
    if (redis.status !== 'ready' || isReconnecting) return;
    isReconnecting = true;
    redis.disconnect(true);
  };
  redis.on('ready', () => {
    isUnreachable = false;
    log.info('connected to Redis: all processes share their rate limits');
  });
  // Connecting before the first request ensures that Redis counts it. An unreachable Redis must not
  // prevent the start.
  await redis.connect().catch(logUnreachable);
  const shared = new RateLimiterRedis({
    ...settings,
    storeClient: redis,
    keyPrefix: 'atrium:limit',
  });

  async function inRedisOrLocally<T>(
    count: (limiter: RateLimiterAbstract) => Promise<T>,
  ): Promise<T> {
    try {
      return await count(shared);
    } catch (error) {
      logUnreachable(error);
      // Until it has reconnected, the client rejects commands at once, so no request waits.
      reconnect();
      return countLocally(count);
    }
  }
  return {
    ...createCounters(inRedisOrLocally, windowSeconds),
    close: async () => redis.disconnect(),
  };
}

type CountWith = <T>(count: (limiter: RateLimiterAbstract) => Promise<T>) => Promise<T>;

const createCounters = (
  countWith: CountWith,
  defaultSeconds: number,
): Omit<RateLimits, 'close'> => ({
  consume: (caller, limit, windowSeconds = defaultSeconds) =>
    countWith((limiter) => consume(limiter, caller, limit, windowSeconds)),
  peek: (caller, limit, windowSeconds = defaultSeconds) =>
    countWith(async (limiter) => statusOf(await limiter.get(caller), limit, windowSeconds)),
  refund: async (caller, windowSeconds = defaultSeconds) =>
    void (await countWith((limiter) =>
      limiter.reward(caller, 1, { customDuration: windowSeconds }),
    )),
});

// The library only counts. The limit is compared here, because each key can have its own limit.
const unbounded = (windowSeconds: number) => ({
  points: Number.MAX_SAFE_INTEGER,
  duration: windowSeconds,
});

async function consume(
  limiter: RateLimiterAbstract,
  caller: string,
  limit: number,
  windowSeconds: number,
): Promise<RateLimitStatus> {
  return statusOf(
    await limiter.consume(caller, 1, { customDuration: windowSeconds }),
    limit,
    windowSeconds,
  );
}

function statusOf(
  counter: RateLimiterRes | null,
  limit: number,
  windowSeconds: number,
): RateLimitStatus {
  const { consumedPoints, msBeforeNext } = counter ?? { consumedPoints: 0, msBeforeNext: 0 };
  const windowMs = windowSeconds * 1000;
  // -1 means that the counter has no expiry yet. The library subtracts times of day; its timer ends
  // the window in time even if the clock was set back meanwhile.
  const waitMs = msBeforeNext >= 0 ? Math.min(msBeforeNext, windowMs) : windowMs;
  return {
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    resetAtSeconds: Math.ceil((Date.now() + waitMs) / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    exceeded: consumedPoints > limit,
  };
}
