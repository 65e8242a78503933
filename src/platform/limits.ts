import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Log } from './log.ts';

/** Where a caller stands in its window. */
export type Allowance = {
  limit: number;
  remaining: number;
  resetAtSeconds: number;
  retryAfterSeconds: number;
  exceeded: boolean;
};

/** What every answer says that counts. */
export function limitHeaders({
  limit,
  remaining,
  resetAtSeconds,
}: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetAtSeconds),
  };
}

export type Limits = {
  /**
   * Counts one request of this caller; the window begins with its first. A caller has one window,
   * whoever counts.
   */
  take(caller: string, limit: number, windowSeconds?: number): Promise<Allowance>;
  /** The same window without counting a request in it. */
  look(caller: string, limit: number, windowSeconds?: number): Promise<Allowance>;
  /** Takes one request of this caller back. */
  giveBack(caller: string, windowSeconds?: number): Promise<void>;
  close(): Promise<void>;
};

type LimitsOptions = {
  redisUrl?: string | undefined;
  windowSeconds?: number;
  log: Log;
  /** Set in one of several workers: the process that keeps them counts for all. */
  worker?: number | undefined;
};

// A Redis that keeps its connections and answers nothing is waited for so long, and not asked again
// before it answers. Shorter, and a process that stands still for a second under load would take
// its own delay for that of Redis.
const answerMs = 3_000;

/**
 * Without Redis each process counts alone, the workers of one process together. While Redis is
 * away, likewise, and the log says so.
 */
export async function createLimits({
  redisUrl,
  windowSeconds = 60,
  log,
  worker,
}: LimitsOptions): Promise<Limits> {
  const settings = unbounded(windowSeconds);
  const own =
    worker === undefined
      ? new RateLimiterMemory(settings)
      : new RateLimiterCluster({ ...settings, keyPrefix: 'atrium:limit' });
  if (!redisUrl)
    return { ...countedBy((count) => count(own), windowSeconds), close: async () => {} };

  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: answerMs,
    lazyConnect: true,
  });
  // One line when it goes and one when it comes, however often it is tried in between.
  let isAway = false;
  const noteAway = (error: unknown) => {
    if (!isAway)
      log.warn({ err: error }, 'Redis is out of reach: limits are counted by each process alone');
    isAway = true;
  };
  redis.on('error', noteAway);
  // Many learn of it at the same moment, and each time it was told to, it would listen for its end
  // once more.
  let isLeaving = false;
  redis.on('close', () => {
    isLeaving = false;
  });
  const connectAnew = () => {
    if (redis.status !== 'ready' || isLeaving) return;
    isLeaving = true;
    redis.disconnect(true);
  };
  redis.on('ready', () => {
    isAway = false;
    log.info('Redis is there: limits are counted together');
  });
  // A first request that Redis does not count would be one too many; a Redis that is away must not
  // stop the start.
  await redis.connect().catch(noteAway);
  const shared = new RateLimiterRedis({
    ...settings,
    storeClient: redis,
    keyPrefix: 'atrium:limit',
  });

  async function inRedisOrAlone<T>(
    count: (limiter: RateLimiterAbstract) => Promise<T>,
  ): Promise<T> {
    try {
      return await count(shared);
    } catch (error) {
      noteAway(error);
      // Until it has connected anew, the client refuses at once, and nobody waits.
      connectAnew();
      return count(own);
    }
  }
  return { ...countedBy(inRedisOrAlone, windowSeconds), close: async () => redis.disconnect() };
}

type Counting = <T>(count: (limiter: RateLimiterAbstract) => Promise<T>) => Promise<T>;

const countedBy = (counting: Counting, usualSeconds: number): Omit<Limits, 'close'> => ({
  take: (caller, limit, windowSeconds = usualSeconds) =>
    counting((limiter) => take(limiter, caller, limit, windowSeconds)),
  look: (caller, limit, windowSeconds = usualSeconds) =>
    counting(async (limiter) => allowanceOf(await limiter.get(caller), limit, windowSeconds)),
  giveBack: async (caller, windowSeconds = usualSeconds) =>
    void (await counting((limiter) =>
      limiter.reward(caller, 1, { customDuration: windowSeconds }),
    )),
});

// The library only counts; the limit is compared here, because each key can have its own.
const unbounded = (windowSeconds: number) => ({
  points: Number.MAX_SAFE_INTEGER,
  duration: windowSeconds,
});

async function take(
  limiter: RateLimiterAbstract,
  caller: string,
  limit: number,
  windowSeconds: number,
): Promise<Allowance> {
  return allowanceOf(
    await limiter.consume(caller, 1, { customDuration: windowSeconds }),
    limit,
    windowSeconds,
  );
}

function allowanceOf(
  counted: RateLimiterRes | null,
  limit: number,
  windowSeconds: number,
): Allowance {
  const { consumedPoints, msBeforeNext } = counted ?? { consumedPoints: 0, msBeforeNext: 0 };
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
