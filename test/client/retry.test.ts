import { describe, expect, it } from 'vitest';
import { AtriumError } from '../../src/client/atrium-error.ts';
import { isTemporary, pause, retryDelaySeconds } from '../../src/client/retry.ts';

const errorWith = (
  status: number,
  { code, retryAfter }: { code?: string; retryAfter?: string } = {},
) =>
  AtriumError.of(
    new Response(JSON.stringify(code === undefined ? {} : { message: 'x', code }), {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    }),
  );

describe('a retry', () => {
  it.each([
    ['429 of any call', 429, {}, false, true],
    ['429 with a wait of an hour', 429, { retryAfter: '3600' }, true, false],
    ['503 of a call that is executed once', 503, { code: 'UNAVAILABLE' }, true, true],
    ['503 of any other call', 503, { code: 'UNAVAILABLE' }, false, false],
    ['502 of a proxy', 502, {}, true, true],
    ['502 of the model provider', 502, { code: 'PROVIDER_FAILED' }, true, false],
    ['409 with Retry-After', 409, { code: 'STILL_RUNNING', retryAfter: '1' }, true, true],
    ['409 without', 409, { code: 'CONFLICT' }, true, false],
    ['400', 400, { code: 'BAD_INPUT' }, true, false],
    ['500', 500, { code: 'INTERNAL' }, true, false],
  ])('The client knows whether to retry %s', async (_, status, error, isRepeatable, expected) => {
    expect(isTemporary(await errorWith(status, error), isRepeatable)).toBe(expected);
  });

  it('A retry waits longer each time, at most a minute, and part of the wait is random', () => {
    for (const [retry, shortest, longest] of [
      [0, 0.5, 1],
      [1, 1, 2],
      [3, 4, 8],
      [20, 30, 60],
    ] as const) {
      expect(retryDelaySeconds(retry, null, () => 0)).toBe(shortest);
      expect(retryDelaySeconds(retry, null, () => 1)).toBe(longest);
    }
    const delays = new Set(Array.from({ length: 20 }, () => retryDelaySeconds(2, null)));
    expect(delays.size).toBeGreaterThan(10);
  });

  it('A retry never comes before the time that the server has stated', () => {
    for (const random of [0, 0.5, 1]) {
      const delay = retryDelaySeconds(0, 20, () => random);
      expect(delay).toBeGreaterThanOrEqual(20);
      expect(delay).toBeLessThanOrEqual(22);
    }
    expect(retryDelaySeconds(5, 0)).toBe(0);
  });

  it('Retry-After is read as seconds and as a date', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    expect((await errorWith(503, { retryAfter: '7' })).retryAfterSeconds).toBe(7);
    expect((await errorWith(503, { retryAfter: inAnHour })).retryAfterSeconds).toBeGreaterThan(
      3_500,
    );
    expect((await errorWith(503, { retryAfter: 'soon' })).retryAfterSeconds).toBeNull();
    expect((await errorWith(503)).retryAfterSeconds).toBeNull();
  });

  it('An abort ends the wait with its reason, also an abort before the wait', async () => {
    const controller = new AbortController();
    const waiting = pause(3_600, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(pause(3_600, controller.signal)).rejects.toThrow('enough');
  });
});
