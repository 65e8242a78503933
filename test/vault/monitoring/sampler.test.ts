import { describe, expect, it } from 'vitest';
import { createSampler } from '../../../src/vault/monitoring/sampler.ts';
import { linesOfLog } from '../../support/vault.ts';

const clock = () => new Date();

describe('sampling', () => {
  it('with an interval of 0 takes nothing and keeps no timer', async () => {
    let taken = 0;
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const sampler = createSampler({
      intervalSeconds: 0,
      take: async () => ++taken,
      clock,
      log: linesOfLog().log,
    });
    expect([await sampler.last(), taken, timers()]).toEqual([null, 0, before]);
  });

  it('answers with the last sample, takes the next by itself, and stops when it is closed', async () => {
    let taken = 0;
    const sampler = createSampler({
      intervalSeconds: 0.05,
      take: async () => ++taken,
      clock,
      log: linesOfLog().log,
    });
    expect((await sampler.last())?.value).toBe(1);
    await expect.poll(async () => (await sampler.last())?.value).toBeGreaterThan(2);
    sampler.close();
    const last = taken;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(taken).toBe(last);
  });

  it('never takes two at once, and keeps the last good one when the next fails', async () => {
    const { lines, log } = linesOfLog();
    let running = 0;
    let runningMax = 0;
    let taken = 0;
    const take = async () => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      await new Promise((resolve) => setTimeout(resolve, 60));
      running -= 1;
      taken += 1;
      if (taken > 1) throw new Error('the disk is away');
      return 'good';
    };
    const sampler = createSampler({ intervalSeconds: 0.02, take, clock, log });
    await expect.poll(() => taken).toBeGreaterThan(3);
    expect(runningMax).toBe(1);
    expect((await sampler.last())?.value).toBe('good');
    expect(lines.join('')).toContain('taking a sample failed');
    sampler.close();
  });
});
