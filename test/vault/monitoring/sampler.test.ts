import { describe, expect, it } from 'vitest';
import { createSampler } from '../../../src/vault/monitoring/sampler.ts';
import { recordLog } from '../../support/vault.ts';

const clock = () => new Date();

describe('createSampler', () => {
  it('A sampler with an interval of 0 takes no samples and starts no timer', async () => {
    let samples = 0;
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const sampler = createSampler({
      intervalSeconds: 0,
      take: async () => ++samples,
      clock,
      log: recordLog().log,
    });
    expect([await sampler.last(), samples, timers()]).toEqual([null, 0, before]);
  });

  it('A sampler returns the latest sample, takes the next one at each interval, and stops when it is closed', async () => {
    let samples = 0;
    const sampler = createSampler({
      intervalSeconds: 0.05,
      take: async () => ++samples,
      clock,
      log: recordLog().log,
    });
    expect((await sampler.last())?.value).toBe(1);
    await expect.poll(async () => (await sampler.last())?.value).toBeGreaterThan(2);
    sampler.close();
    const samplesAtClose = samples;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(samples).toBe(samplesAtClose);
  });

  it('A sampler never takes two samples at once, and keeps the last sample if the next one fails', async () => {
    const { lines, log } = recordLog();
    let running = 0;
    let runningMax = 0;
    let samples = 0;
    const take = async () => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      await new Promise((resolve) => setTimeout(resolve, 60));
      running -= 1;
      samples += 1;
      if (samples > 1) throw new Error('the disk is away');
      return 'good';
    };
    const sampler = createSampler({ intervalSeconds: 0.02, take, clock, log });
    await expect.poll(() => samples).toBeGreaterThan(3);
    expect(runningMax).toBe(1);
    expect((await sampler.last())?.value).toBe('good');
    expect(lines.join('')).toContain('taking a sample failed');
    sampler.close();
  });
});
