import { AppError } from '../platform/errors.ts';

export type RateLimit = ReturnType<typeof createRateLimit>;

const windowSeconds = 60;

/**
 * Counts the calls of everybody who shows the secret together. The window begins with its first
 * call; whoever shows no secret is not counted.
 */
export function createRateLimit(limit: number, now: () => number = Date.now) {
  let endsAtMs = 0;
  let used = 0;
  let blockedTotal = 0;

  const state = () => {
    const nowMs = now();
    const open = nowMs < endsAtMs;
    const taken = open ? Math.min(used, limit) : 0;
    const reset = Math.ceil((open ? endsAtMs : nowMs + windowSeconds * 1000) / 1000);
    return {
      limit,
      remaining: limit - taken,
      used: taken,
      reset,
      windowSeconds,
      limited: taken >= limit,
      blockedTotal,
    };
  };
  return {
    state,
    /** Counts one call and tells its caller in `headers` where it stands. */
    take(headers: Record<string, string>): void {
      const nowMs = now();
      if (nowMs >= endsAtMs) {
        endsAtMs = nowMs + windowSeconds * 1000;
        used = 0;
      }
      used += 1;
      if (used > limit) blockedTotal += 1;
      const { remaining, reset } = state();
      headers['x-ratelimit-limit'] = String(limit);
      headers['x-ratelimit-remaining'] = String(remaining);
      headers['x-ratelimit-reset'] = String(reset);
      if (used <= limit) return;
      headers['retry-after'] = String(Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)));
      throw new AppError('RATE_LIMITED', `More than ${limit} calls in ${windowSeconds} seconds`);
    },
  };
}
