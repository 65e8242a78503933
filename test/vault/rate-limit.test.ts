import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../../src/vault/rate-limit.ts';

function limitOf(limit: number) {
  let now = 1_000_000;
  const rateLimit = createRateLimit(limit, () => now);
  const call = () => {
    const headers: Record<string, string> = {};
    try {
      rateLimit.take(headers);
      return { passed: true, headers };
    } catch {
      return { passed: false, headers };
    }
  };
  return {
    rateLimit,
    call,
    passes: (ms: number) => {
      now += ms;
    },
  };
}

describe('the limit of the vault', () => {
  it('lets exactly so many calls through in a window, which begins with its first call', () => {
    const { call, passes } = limitOf(5);
    passes(12_345);
    expect(Array.from({ length: 9 }, call).map(({ passed }) => passed)).toEqual([
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
    passes(59_999);
    expect(call().passed).toBe(false);
    passes(1);
    expect(Array.from({ length: 6 }, call).filter(({ passed }) => passed)).toHaveLength(5);
  });

  it('tells each caller where it stands and when the window ends', () => {
    const { call, passes } = limitOf(2);
    expect(call().headers).toEqual({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': '1060',
    });
    passes(10_000);
    expect(call().headers).toEqual({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1060',
    });
    expect(call().headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'retry-after': '50' });
  });

  it('forgets the window when it is over, and never what was blocked', () => {
    const { rateLimit, call, passes } = limitOf(1);
    for (let index = 0; index < 3; index += 1) call();
    expect(rateLimit.state()).toEqual({
      limit: 1,
      remaining: 0,
      used: 1,
      reset: 1060,
      windowSeconds: 60,
      limited: true,
      blockedTotal: 2,
    });
    passes(60_000);
    expect(rateLimit.state()).toEqual({
      limit: 1,
      remaining: 1,
      used: 0,
      reset: 1120,
      windowSeconds: 60,
      limited: false,
      blockedTotal: 2,
    });
  });
});
