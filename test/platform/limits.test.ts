import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createLimits, type Limits } from '../../src/platform/limits.ts';
import { createLog } from '../../src/platform/log.ts';

const log = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
const redisUrl = process.env['TEST_REDIS_URL'] || undefined;

const opened: Limits[] = [];
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

const take = (limits: Limits, caller: string, times: number, limit: number) =>
  Promise.all(Array.from({ length: times }, () => limits.take(caller, limit)));

describe.each([
  ['memory', undefined] as const,
  ...(redisUrl ? [['Redis', redisUrl] as const] : []),
])('limits in %s', (_, url) => {
  it('let exactly the limit pass of many simultaneous requests, and count down to zero', async () => {
    const limits = await open(url);
    const taken = await take(limits, randomUUID(), 250, 100);
    expect(taken.filter(({ exceeded }) => !exceeded)).toHaveLength(100);
    expect(taken.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual([
      ...Array.from({ length: 100 }, (_, index) => 99 - index),
      ...Array.from({ length: 150 }, () => 0),
    ]);
  });

  it('begin a window with the first request and another when it is over', async () => {
    const limits = await open(url, 1);
    const caller = randomUUID();
    expect((await take(limits, caller, 3, 2)).map(({ exceeded }) => exceeded)).toEqual([
      false,
      false,
      true,
    ]);
    await wait(1_100);
    expect((await limits.take(caller, 2)).exceeded).toBe(false);
  });

  it('keep a window of its own length for who asks for one', async () => {
    const limits = await open(url);
    const caller = randomUUID();
    expect((await limits.take(caller, 1, 1)).exceeded).toBe(false);
    expect((await limits.take(caller, 1, 1)).exceeded).toBe(true);
    expect((await limits.take(randomUUID(), 1, 900)).retryAfterSeconds).toBeGreaterThan(800);
    await wait(1_100);
    expect((await limits.take(caller, 1, 1)).exceeded).toBe(false);
  });

  it('count what is given back as not taken, within the same window', async () => {
    const limits = await open(url);
    const caller = randomUUID();
    await take(limits, caller, 2, 2);
    await limits.giveBack(caller);
    expect((await take(limits, caller, 2, 2)).map(({ exceeded }) => exceeded)).toEqual([
      false,
      true,
    ]);
  });

  it('tell when the window ends', async () => {
    const limits = await open(url);
    const before = Date.now() / 1000;
    const { resetAtSeconds, retryAfterSeconds } = await limits.take(randomUUID(), 1);
    expect(resetAtSeconds).toBeGreaterThanOrEqual(Math.floor(before + 59));
    expect(resetAtSeconds).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000 + 60));
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('keep callers apart', async () => {
    const limits = await open(url);
    expect((await limits.take(randomUUID(), 1)).exceeded).toBe(false);
    expect((await limits.take(randomUUID(), 1)).exceeded).toBe(false);
  });
});

describe('several processes', () => {
  it.runIf(redisUrl)('share one count in Redis: exactly the limit passes', async () => {
    const processes = await Promise.all([open(redisUrl), open(redisUrl), open(redisUrl)]);
    const caller = randomUUID();
    const taken = (
      await Promise.all(processes.map((limits) => take(limits, caller, 100, 100)))
    ).flat();
    expect(taken.filter(({ exceeded }) => !exceeded)).toHaveLength(100);
  });

  it('without Redis in reach each process goes on counting alone', async () => {
    const limits = await open('redis://127.0.0.1:1');
    const taken = await take(limits, randomUUID(), 150, 100);
    expect(taken.filter(({ exceeded }) => !exceeded)).toHaveLength(100);
  });
});
