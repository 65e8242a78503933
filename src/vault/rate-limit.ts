import { type Clock, systemClock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';

export type RateLimit = ReturnType<typeof createRateLimit>;

const windowSeconds = 60;

type RateLimitClocks = { clock?: Clock; now?: () => number };

/**
 * One shared limit for all callers that send the secret; calls without it are not counted. A window
 * of 60 seconds begins with its first call. The monotonic clock `now` measures it, because a time of
 * day that is set back would lengthen the window; only the headers tell the time of day.
 */
export function createRateLimit(
  limit: number,
  { clock = systemClock, now = () => performance.now() }: RateLimitClocks = {},
) {
  let endsAtMs = 0;
  let used = 0;
  let blockedTotal = 0;

  const snapshot = () => {
    const nowMs = now();
    const isOpen = nowMs < endsAtMs;
    const usedInWindow = isOpen ? Math.min(used, limit) : 0;
    const leftMs = isOpen ? endsAtMs - nowMs : windowSeconds * 1000;
    const reset = Math.ceil((clock().getTime() + leftMs) / 1000);
    return {
      limit,
      remaining: limit - usedInWindow,
      used: usedInWindow,
      reset,
      windowSeconds,
      limited: usedInWindow >= limit,
      blockedTotal,
    };
  };
  return {
    snapshot,
    /** Counts one call and sets the rate limit headers of the answer. */
    count(headers: Record<string, string>): void {
      const nowMs = now();
      if (nowMs >= endsAtMs) {
        endsAtMs = nowMs + windowSeconds * 1000;
        used = 0;
      }
      used += 1;
      if (used > limit) blockedTotal += 1;
      const { remaining, reset } = snapshot();
      headers['x-ratelimit-limit'] = String(limit);
      headers['x-ratelimit-remaining'] = String(remaining);
      headers['x-ratelimit-reset'] = String(reset);
      if (used <= limit) return;
      headers['retry-after'] = String(Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)));
      throw new AppError('RATE_LIMITED', `More than ${limit} calls in ${windowSeconds} seconds`);
    },
  };
}
