import { afterEach, describe, expect, it } from 'vitest';
import { createThreadPool, type ThreadPool } from '../../src/platform/thread-pool.ts';
import { quietLog } from '../support/quiet-log.ts';

const pools: ThreadPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function poolOf(more: { deadlineMs?: number; queueMax?: number; queueOfOwnerMax?: number } = {}) {
  const script = new URL('../support/pool-script.ts', import.meta.url);
  const settings = {
    name: 'The work',
    script,
    threads: 1,
    queueMax: 10,
    queueOfOwnerMax: 5,
    deadlineMs: 5_000,
    heapMegabytesMax: 64,
    log: quietLog,
  };
  const pool = createThreadPool({ ...settings, ...more });
  pools.push(pool);
  return pool;
}

describe('a pool of threads', () => {
  it('answers each task, one after another', async () => {
    const pool = poolOf();
    expect(await Promise.all(['1', '2', '3'].map((task) => pool.run(task, 'a')))).toEqual([
      'done: 1',
      'done: 2',
      'done: 3',
    ]);
  });

  it('ends a thread whose task takes too long, and serves the next task', async () => {
    const pool = poolOf({ deadlineMs: 500 });
    const [late, next] = await Promise.allSettled([
      pool.run('compute for ever', 'a'),
      pool.run('next', 'a'),
    ]);
    expect(late).toMatchObject({
      reason: { code: 'PROVIDER_LATE', message: 'The work did not answer in time' },
    });
    expect(next).toMatchObject({ value: 'done: next' });
  });

  it.each(['throw', 'exit'])('survives a task that makes its thread %s', async (task) => {
    const pool = poolOf();
    const [failed, next] = await Promise.allSettled([pool.run(task, 'a'), pool.run('next', 'a')]);
    expect(failed.status).toBe('rejected');
    expect(next).toMatchObject({ value: 'done: next' });
  });

  it('lets owners take turns', async () => {
    const pool = poolOf();
    const ended: string[] = [];
    const tasks = ['a1', 'a2', 'a3', 'a4', 'b1'].map((task) =>
      pool.run(task, task.slice(0, 1)).then(() => ended.push(task)),
    );
    await Promise.all(tasks);
    // a1 ran already when the others came.
    expect(ended.indexOf('b1')).toBeLessThan(3);
  });

  it('refuses more tasks than may wait, over all and for one owner', async () => {
    const pool = poolOf({ queueMax: 4, queueOfOwnerMax: 3 });
    const outcomes = await Promise.allSettled(
      ['a', 'a', 'a', 'a', 'a', 'b', 'c'].map((owner) => pool.run('task', owner)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect(outcomes[4]).toMatchObject({
      reason: { code: 'UNAVAILABLE', message: 'The work is busy; try again in a few seconds' },
    });
  });

  it('forgets a task whose sender left while it waited', async () => {
    const pool = poolOf({ queueMax: 2 });
    const sender = new AbortController();
    const first = pool.run('first', 'a');
    const left = pool.run('left', 'b', sender.signal);
    sender.abort(new Error('the sender left'));
    await expect(left).rejects.toThrow('the sender left');
    expect(
      await Promise.all([first, pool.run('second', 'b'), pool.run('third', 'b')]),
    ).toHaveLength(3);
  });

  it('ends what runs and what waits when it is closed', async () => {
    const pool = poolOf();
    const tasks = Promise.allSettled([pool.run('compute for ever', 'a'), pool.run('next', 'a')]);
    await pool.close();
    for (const outcome of await tasks)
      expect(outcome).toMatchObject({ reason: { code: 'UNAVAILABLE' } });
    await expect(pool.run('more', 'a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
