import { afterEach, describe, expect, it } from 'vitest';
import { createThreadPool, type ThreadPool } from '../../src/platform/thread-pool.ts';
import { quietLog } from '../support/quiet-log.ts';

const pools: ThreadPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function createPool(overrides: Partial<Parameters<typeof createThreadPool>[0]> = {}) {
  const script = new URL('../support/pool-script.ts', import.meta.url);
  const settings = {
    name: 'The work',
    script,
    threads: 1,
    threadsOfOwnerMax: 1,
    queueMax: 10,
    queueOfOwnerMax: 5,
    deadlineMs: 5_000,
    heapMegabytesMax: 64,
    log: quietLog,
  };
  const pool = createThreadPool({ ...settings, ...overrides });
  pools.push(pool);
  return pool;
}

describe('the thread pool', () => {
  it('every task gets its result', async () => {
    const pool = createPool();
    expect(await Promise.all(['1', '2', '3'].map((task) => pool.run(task, 'a')))).toEqual([
      'done: 1',
      'done: 2',
      'done: 3',
    ]);
  });

  it('a thread whose task takes too long is terminated, and the next task runs', async () => {
    // Within this time a busy machine can start the thread of the next task.
    const pool = createPool({ deadlineMs: 3_000 });
    const [late, next] = await Promise.allSettled([
      pool.run('compute for ever', 'a'),
      pool.run('next', 'a'),
    ]);
    expect(late).toMatchObject({
      reason: { code: 'PROVIDER_LATE', message: 'The work did not answer in time' },
    });
    expect(next).toMatchObject({ value: 'done: next' });
  });

  it.each(['throw', 'exit'])('the pool survives a task that makes its thread %s', async (task) => {
    const pool = createPool();
    const [failed, next] = await Promise.allSettled([pool.run(task, 'a'), pool.run('next', 'a')]);
    expect(failed.status).toBe('rejected');
    expect(next).toMatchObject({ value: 'done: next' });
  });

  it('owners take turns', async () => {
    const pool = createPool();
    const ended: string[] = [];
    const tasks = ['a1', 'a2', 'a3', 'a4', 'b1'].map((task) =>
      pool.run(task, task.slice(0, 1)).then(() => ended.push(task)),
    );
    await Promise.all(tasks);
    // a1 was already running when the others arrived.
    expect(ended.indexOf('b1')).toBeLessThan(3);
  });

  it('an owner whose tasks take long leaves a thread to the others', async () => {
    const pool = createPool({ threads: 2, deadlineMs: 2_000 });
    const ended: string[] = [];
    const run = (task: string, owner: string) =>
      pool.run(task, owner).then(
        () => ended.push(owner),
        () => ended.push(`${owner}, late`),
      );
    await Promise.all([
      run('compute for ever', 'a'),
      run('compute for ever', 'a'),
      run('b1', 'b'),
      run('b2', 'b'),
    ]);
    expect(ended).toEqual(['b', 'b', 'a, late', 'a, late']);
  });

  it('tasks that exceed the queue limit, in total or per owner, are rejected', async () => {
    const pool = createPool({ queueMax: 4, queueOfOwnerMax: 3 });
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

  it('a task whose signal is aborted while it waits is removed', async () => {
    const pool = createPool({ queueMax: 2 });
    const sender = new AbortController();
    const first = pool.run('first', 'a');
    const abandoned = pool.run('left', 'b', sender.signal);
    sender.abort(new Error('the sender left'));
    await expect(abandoned).rejects.toThrow('the sender left');
    expect(
      await Promise.all([first, pool.run('second', 'b'), pool.run('third', 'b')]),
    ).toHaveLength(3);
  });

  it('closing the pool ends running and waiting tasks', async () => {
    const pool = createPool();
    const tasks = Promise.allSettled([pool.run('compute for ever', 'a'), pool.run('next', 'a')]);
    await pool.close();
    for (const outcome of await tasks)
      expect(outcome).toMatchObject({ reason: { code: 'UNAVAILABLE' } });
    await expect(pool.run('more', 'a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
