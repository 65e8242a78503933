import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../../src/vault/rate-limit.ts';

function testRateLimit(limit: number) {
  let now = 1_000_000;
  let setBackMs = 0;
  const rateLimit = createRateLimit(limit, {
    clock: () => new Date(now - setBackMs),
    now: () => now,
  });
  const call = () => {
    const headers: Record<string, string> = {};
    try {
      rateLimit.count(headers);
      return { isAllowed: true, headers };
    } catch {
      return { isAllowed: false, headers };
    }
  };
  return {
    rateLimit,
    call,
    advance: (ms: number) => {
      now += ms;
    },
    setBack: (ms: number) => {
      setBackMs = ms;
    },
  };
}

describe('createRateLimit', () => {
  it('Exactly the limit of calls passes in a window, which begins with its first call', () => {
    const { call, advance } = testRateLimit(5);
    advance(12_345);
    expect(Array.from({ length: 9 }, call).map(({ isAllowed }) => isAllowed)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    advance(59_999);
    expect(call().isAllowed).toBe(false);
    advance(1);
    expect(Array.from({ length: 6 }, call).filter(({ isAllowed }) => isAllowed)).toHaveLength(5);
  });

  it('Every answer has headers with the remaining calls and the end of the window', () => {
    const { call, advance } = testRateLimit(2);
    expect(call().headers).toEqual({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': '1060',
    });
    advance(10_000);
    expect(call().headers).toEqual({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1060',
    });
    expect(call().headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'retry-after': '50' });
  });

  it('A new window starts with zero calls, while the number of blocked calls is kept', () => {
    const { rateLimit, call, advance } = testRateLimit(1);
    for (let index = 0; index < 3; index += 1) call();
    expect(rateLimit.snapshot()).toEqual({
      limit: 1,
      remaining: 0,
      used: 1,
      reset: 1060,
      windowSeconds: 60,
      limited: true,
      blockedTotal: 2,
    });
    advance(60_000);
    expect(rateLimit.snapshot()).toEqual({
      limit: 1,
      remaining: 1,
      used: 0,
      reset: 1120,
      windowSeconds: 60,
      limited: false,
      blockedTotal: 2,
    });
  });

  it('A window ends in time although the time of day was set back by an hour', () => {
    const { call, advance, setBack } = testRateLimit(1);
    call();
    expect(call().isAllowed).toBe(false);
    setBack(3_600_000);
    advance(59_000);
    expect(call().headers).toMatchObject({ 'x-ratelimit-reset': '-2540', 'retry-after': '1' });
    advance(1_000);
    expect(call().isAllowed).toBe(true);
  });
});
