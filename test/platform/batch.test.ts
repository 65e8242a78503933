import { describe, expect, it } from 'vitest';
import { createBatcher } from '../../src/platform/batch.ts';

describe('a batcher', () => {
  it('puts items of the same turn into one batch, and what arrives while it runs into the next', async () => {
    const batches: string[][] = [];
    const release = Promise.withResolvers<void>();
    const add = createBatcher<string, string>({ itemsMax: 10 }, async (key, items) => {
      batches.push([key, ...items]);
      if (batches.length === 1) await release.promise;
      return items.map((item) => item.toUpperCase());
    });
    const first = [add('k', 'a'), add('k', 'b')];
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const second = [add('k', 'c'), add('k', 'd')];
    release.resolve();
    expect(await Promise.all([...first, ...second])).toEqual(['A', 'B', 'C', 'D']);
    expect(batches).toEqual([
      ['k', 'a', 'b'],
      ['k', 'c', 'd'],
    ]);
  });

  it('runs the batches of different keys at the same time', async () => {
    const both = Promise.withResolvers<void>();
    const running = new Set<string>();
    const add = createBatcher<number, number>({ itemsMax: 10 }, async (key, items) => {
      running.add(key);
      if (running.size === 2) both.resolve();
      await both.promise;
      return items;
    });
    expect(await Promise.all([add('one', 1), add('two', 2)])).toEqual([1, 2]);
  });

  it('has no batch with more items than the limit', async () => {
    const sizes: number[] = [];
    const add = createBatcher<number, number>({ itemsMax: 2 }, async (_, items) => {
      sizes.push(items.length);
      return items;
    });
    const items = [1, 2, 3, 4, 5];
    expect(await Promise.all(items.map((item) => add('k', item)))).toEqual(items);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('gives the error of a batch to its items only', async () => {
    let batch = 0;
    const add = createBatcher<number, number>({ itemsMax: 1 }, async (_, items) => {
      batch += 1;
      if (batch === 1) throw new Error('broken');
      return items;
    });
    const results = await Promise.allSettled([add('k', 1), add('k', 2)]);
    expect(results).toEqual([
      { status: 'rejected', reason: new Error('broken') },
      { status: 'fulfilled', value: 2 },
    ]);
  });

  it('collects what arrives in quick succession, and runs a full batch at once', async () => {
    const sizes: number[] = [];
    const add = createBatcher<number, number>(
      { itemsMax: 3, intervalMsMin: () => 100 },
      async (_, items) => {
        sizes.push(items.length);
        return items;
      },
    );
    await add('k', 1);
    // These two wait for the interval, and so do the last two.
    const next = add('k', 2);
    await new Promise(setImmediate);
    await Promise.all([next, add('k', 3)]);
    await Promise.all([4, 5, 6, 7, 8].map((item) => add('k', item)));
    expect(sizes).toEqual([1, 2, 3, 2]);
  });
});
