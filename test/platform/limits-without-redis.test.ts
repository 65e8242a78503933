import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createLimits, type Limits } from '../../src/platform/limits.ts';
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

/** Limits as two processes have them, and what they say of Redis. */
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
  const said = (what: string) => lines.filter((line) => line.includes(what)).length;
  return { limits, away: () => said('out of reach'), there: () => said('Redis is there') };
}

const passed = async (limits: readonly Limits[], times: number, limit: number) => {
  const caller = randomUUID();
  const taken = await Promise.all(
    limits.flatMap((counter) => Array.from({ length: times }, () => counter.take(caller, limit))),
  );
  return taken.filter(({ exceeded }) => !exceeded).length;
};

describe.runIf(hasRedisServer)('limits while Redis is away', () => {
  it.each(['dead', 'hanging'] as const)(
    'are counted by each process alone while it is %s, and together again when it is back; the log says both once',
    async (how) => {
      const warnings: Error[] = [];
      const warned = (warning: Error) => warnings.push(warning);
      process.on('warning', warned);
      closing.push(() => process.off('warning', warned));
      const redis = await openRedis();
      const [one, other] = [await openLimits(redis.url), await openLimits(redis.url)];
      const both = [one.limits, other.limits];
      expect(await passed(both, 30, 20)).toBe(20);
      if (how === 'dead') await redis.kill();
      else redis.hang();
      expect(await passed(both, 30, 20)).toBe(40);
      // Long enough to try several times to reach it.
      await wait(2_000);
      expect(await passed(both, 30, 20)).toBe(40);
      expect([one.away(), other.away()]).toEqual([1, 1]);
      if (how === 'dead') await redis.start();
      else redis.goOn();
      await expect.poll(() => passed(both, 30, 20), { timeout: 20_000 }).toBe(20);
      expect([one.there(), other.there()]).toEqual([2, 2]);
      expect(warnings).toEqual([]);
      expect([one.away(), other.away()]).toEqual([1, 1]);
    },
  );

  it('begin where Redis answers nothing', async () => {
    const redis = await openRedis();
    redis.hang();
    const { limits, away, there } = await openLimits(redis.url);
    expect(await passed([limits], 30, 20)).toBe(20);
    expect(away()).toBe(1);
    redis.goOn();
    await expect.poll(there, { timeout: 20_000 }).toBe(1);
  });
});
