import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLimits, type RateLimits } from '../../src/platform/limits.ts';
import { createLog } from '../../src/platform/log.ts';
import { hasRedisServer, openOwnRedis } from '../support/own-redis.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openRedis() {
  const redis = await openOwnRedis();
  closing.push(redis.kill);
  return redis;
}

/** The rate limits of one process, with the number of its log entries about Redis. */
async function openLimits(redisUrl: string) {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const limits = await createLimits({
    redisUrl,
    log: createLog({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, sink),
  });
  closing.push(limits.close);
  const countLines = (what: string) => lines.filter((line) => line.includes(what)).length;
  return {
    limits,
    unreachable: () => countLines('Redis cannot be reached'),
    connected: () => countLines('connected to Redis'),
  };
}

const countAllowed = async (limits: readonly RateLimits[], times: number, limit: number) => {
  const caller = randomUUID();
  const statuses = await Promise.all(
    limits.flatMap((counter) =>
      Array.from({ length: times }, () => counter.consume(caller, limit)),
    ),
  );
  return statuses.filter(({ exceeded }) => !exceeded).length;
};

describe.runIf(hasRedisServer)('rate limits without Redis', () => {
  it.each(['dead', 'hanging'] as const)(
    'each process counts alone while Redis is %s, and they count together when it is back; both changes are logged once',
    async (how) => {
      const warnings: Error[] = [];
      const onWarning = (warning: Error) => warnings.push(warning);
      process.on('warning', onWarning);
      closing.push(() => process.off('warning', onWarning));
      const redis = await openRedis();
      const [first, second] = [await openLimits(redis.url), await openLimits(redis.url)];
      const both = [first.limits, second.limits];
      expect(await countAllowed(both, 30, 20)).toBe(20);
      if (how === 'dead') await redis.kill();
      else redis.hang();
      expect(await countAllowed(both, 30, 20)).toBe(40);
      // Long enough for several attempts to reconnect.
      await wait(2_000);
      expect(await countAllowed(both, 30, 20)).toBe(40);
      expect([first.unreachable(), second.unreachable()]).toEqual([1, 1]);
      if (how === 'dead') await redis.start();
      else redis.resume();
      await expect.poll(() => countAllowed(both, 30, 20), { timeout: 20_000 }).toBe(20);
      expect([first.connected(), second.connected()]).toEqual([2, 2]);
      expect(warnings).toEqual([]);
      expect([first.unreachable(), second.unreachable()]).toEqual([1, 1]);
    },
  );

  it('the limits work from the start if Redis does not answer', async () => {
    const redis = await openRedis();
    redis.hang();
    const { limits, unreachable, connected } = await openLimits(redis.url);
    expect(await countAllowed([limits], 30, 20)).toBe(20);
    expect(unreachable()).toBe(1);
    redis.resume();
    await expect.poll(connected, { timeout: 20_000 }).toBe(1);
  });
});

it('A clock that is set back does not lengthen the wait that a rate limit names', async () => {
  const { limits } = await openLimits('');
  vi.useFakeTimers({ toFake: ['Date'] });
  closing.push(() => vi.useRealTimers());
  await limits.consume('caller', 1);
  vi.setSystemTime(Date.now() - 2 * 60 * 60 * 1_000);
  const now = Date.now() / 1_000;
  const { exceeded, retryAfterSeconds, resetAtSeconds } = await limits.consume('caller', 1);
  expect(exceeded).toBe(true);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  expect(resetAtSeconds).toBeLessThanOrEqual(Math.ceil(now) + 60);
});
