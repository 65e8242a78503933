import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPolling, repeatEvery } from '../../src/platform/repeat.ts';

const hourMs = 3_600_000;

it('Repeated work that fails is tried again after the pause', async () => {
  const errors: unknown[] = [];
  let times = 0;
  const repeated = repeatEvery(
    async () => {
      times += 1;
      throw new Error(`failure ${times}`);
    },
    { everyMs: 1, failed: (error) => errors.push(error) },
  );
  await expect.poll(() => times).toBeGreaterThanOrEqual(2);
  await repeated.stop();
  expect(errors).toHaveLength(times);
});

it('Stopping waits for the work in progress, which learns of it, and for no pause', async () => {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const events: string[] = [];
  const repeated = repeatEvery(
    async (stopping) => {
      stopping.addEventListener('abort', () => events.push('aborted'));
      begun.resolve();
      await released.promise;
      events.push('ended');
    },
    { everyMs: hourMs, failed: () => undefined },
  );
  await begun.promise;
  const stopped = repeated.stop().then(() => events.push('stopped'));
  await pause(20);
  released.resolve();
  await stopped;
  expect(events).toEqual(['aborted', 'ended', 'stopped']);
});

it('Work that is stopped before its first time is never done', async () => {
  let times = 0;
  const work = async () => {
    times += 1;
  };
  await repeatEvery(work, { firstInMs: hourMs, everyMs: 1, failed: () => undefined }).stop();
  expect(times).toBe(0);
});

it('A wake-up while work is in progress causes another look for work', async () => {
  const stopping = new AbortController();
  const { wake, poll } = createPolling({ everyMs: hourMs, signal: stopping.signal });
  const released = Promise.withResolvers<void>();
  let looks = 0;
  const polling = poll(
    async () => {
      looks += 1;
      if (looks === 1) await released.promise;
    },
    () => undefined,
  );
  wake();
  released.resolve();
  await expect.poll(() => looks).toBe(2);
  stopping.abort();
  await polling;
  expect(looks).toBe(2);
});

it('Work that has more to do is repeated without a pause, and otherwise after a wake-up', async () => {
  const stopping = new AbortController();
  const { wake, poll } = createPolling({ everyMs: hourMs, signal: stopping.signal });
  const errors: unknown[] = [];
  let looks = 0;
  const polling = poll(
    async () => {
      looks += 1;
      if (looks === 4) throw new Error('out of reach');
      return looks < 4;
    },
    (error) => errors.push(error),
  );
  await expect.poll(() => errors).toHaveLength(1);
  wake();
  await expect.poll(() => looks).toBe(5);
  stopping.abort();
  await polling;
});
