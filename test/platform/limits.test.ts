import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createLimits, type RateLimits } from '../../src/platform/limits.ts';
import { createLog } from '../../src/platform/log.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const log = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
const redisUrl = process.env['TEST_REDIS_URL'] || undefined;

const opened: RateLimits[] = [];
const open = async (url: string | undefined, windowSeconds?: number) => {
  const limits = await createLimits({
    redisUrl: url,
    log,
    ...(windowSeconds === undefined ? {} : { windowSeconds }),
  });
  opened.push(limits);
  return limits;
};
afterAll(() => Promise.all(opened.map((limits) => limits.close())));

const consumeTimes = (limits: RateLimits, caller: string, times: number, limit: number) =>
  Promise.all(Array.from({ length: times }, () => limits.consume(caller, limit)));

describe.each([
  ['memory', undefined] as const,
  ...(redisUrl ? [['Redis', redisUrl] as const] : []),
])('limits in %s', (_, url) => {
  it('a counter keeps nothing of the request that it has counted', async () => {
    const limits = await open(url);
    const storage = new AsyncLocalStorage<object>();
    const countIn = async () => {
      const request = { body: 'of the request' };
      await storage.run(request, () => limits.consume(randomUUID(), 10, 3_600));
      return new WeakRef(request);
    };
    const requests = await Promise.all(Array.from({ length: 20 }, countIn));
    // The storage itself remembers the request of the last turn.
    await wait(10);
    // A register of the engine can still hold the last one for a while.
    await expect
      .poll(async () => {
        await collectGarbage();
        return requests.filter((request) => request.deref());
      })
      .toEqual([]);
  });

  it('exactly the limit of many concurrent requests is allowed, and the remaining count falls to zero', async () => {
    const limits = await open(url);
    const statuses = await consumeTimes(limits, randomUUID(), 250, 100);
    expect(statuses.filter(({ exceeded }) => !exceeded)).toHaveLength(100);
    expect(statuses.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual([
      ...Array.from({ length: 100 }, (_, index) => 99 - index),
      ...Array.from({ length: 150 }, () => 0),
    ]);
  });

  it('a window starts with the first request, and the next one starts when it is over', async () => {
    const limits = await open(url, 1);
    const caller = randomUUID();
    expect((await consumeTimes(limits, caller, 3, 2)).map(({ exceeded }) => exceeded)).toEqual([
      false,
      false,
      true,
    ]);
    await wait(1_100);
    expect((await limits.consume(caller, 2)).exceeded).toBe(false);
  });

  it('a caller can use a window of another length', async () => {
    const limits = await open(url);
    const caller = randomUUID();
    expect((await limits.consume(caller, 1, 1)).exceeded).toBe(false);
    expect((await limits.consume(caller, 1, 1)).exceeded).toBe(true);
    expect((await limits.consume(randomUUID(), 1, 900)).retryAfterSeconds).toBeGreaterThan(800);
    await wait(1_100);
    expect((await limits.consume(caller, 1, 1)).exceeded).toBe(false);
  });

  it('a refunded request does not count in the same window', async () => {
    const limits = await open(url);
    const caller = randomUUID();
    await consumeTimes(limits, caller, 2, 2);
    await limits.refund(caller);
    expect((await consumeTimes(limits, caller, 2, 2)).map(({ exceeded }) => exceeded)).toEqual([
      false,
      true,
    ]);
  });

  it('the status contains the end of the window', async () => {
    const limits = await open(url);
    const before = Date.now() / 1000;
    const { resetAtSeconds, retryAfterSeconds } = await limits.consume(randomUUID(), 1);
    expect(resetAtSeconds).toBeGreaterThanOrEqual(Math.floor(before + 59));
    expect(resetAtSeconds).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000 + 60));
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('callers have separate counters', async () => {
    const limits = await open(url);
    expect((await limits.consume(randomUUID(), 1)).exceeded).toBe(false);
    expect((await limits.consume(randomUUID(), 1)).exceeded).toBe(false);
  });
});

describe('several processes', () => {
  it.runIf(redisUrl)(
    'several processes share one counter in Redis: exactly the limit is allowed',
    async () => {
      const processes = await Promise.all([open(redisUrl), open(redisUrl), open(redisUrl)]);
      const caller = randomUUID();
      const statuses = (
        await Promise.all(processes.map((limits) => consumeTimes(limits, caller, 100, 100)))
      ).flat();
      expect(statuses.filter(({ exceeded }) => !exceeded)).toHaveLength(100);
    },
  );

  it('each process counts alone if Redis cannot be reached', async () => {
    const limits = await open('redis://127.0.0.1:1');
    const statuses = await consumeTimes(limits, randomUUID(), 150, 100);
    expect(statuses.filter(({ exceeded }) => !exceeded)).toHaveLength(100);
  });
});
