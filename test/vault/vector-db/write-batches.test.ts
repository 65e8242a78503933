import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { EmbeddedPassage } from '../../../src/vault/passage.ts';
import { writeBatches } from '../../../src/vault/vector-db/write-batches.ts';

const passagesOf = (first: number, count: number): EmbeddedPassage[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ ordinal: first + index, text: 'text', page: null, headings: [] },
    ...{ start: 0, end: 4, vector: new Float32Array(1) },
  }));

async function* batchesOf(...counts: number[]) {
  let first = 0;
  for (const count of counts) {
    yield passagesOf(first, count);
    first += count;
  }
  return { pages: 3 };
}

async function* failingAfter(count: number): ReturnType<typeof batchesOf> {
  yield* batchesOf(...Array.from({ length: count }, () => 1));
  throw new Error('the body has ended');
}

describe('batches of passages', () => {
  it.each([
    [[], []],
    [[3], ['0-2 last']],
    [[4], ['0-3 last']],
    [[5], ['0-3', '4-4 last']],
    [
      [4, 5, 2],
      ['0-3', '4-7', '8-8', '9-10 last'],
    ],
  ])(
    'Batches of %j passages are written in order, the last one is named',
    async (counts, writes) => {
      const written: string[] = [];
      const facts = await writeBatches(batchesOf(...counts), {
        passagesMax: 4,
        async write(passages, isLast) {
          await turn();
          written.push(
            `${passages[0]?.ordinal}-${passages.at(-1)?.ordinal}${isLast ? ' last' : ''}`,
          );
        },
      });
      expect(written).toEqual(writes);
      expect(facts).toEqual({ pages: 3 });
    },
  );

  it('The next batch is read while one is written', async () => {
    const { promise: nextIsRead, resolve } = Promise.withResolvers<void>();
    async function* batches() {
      yield passagesOf(0, 1);
      yield passagesOf(1, 1);
      resolve();
      yield passagesOf(2, 1);
      return {};
    }
    let writes = 0;
    await writeBatches(batches(), {
      passagesMax: 4,
      async write() {
        writes += 1;
        // Never ends if the third batch is read only after the first one is written.
        if (writes === 1) await nextIsRead;
      },
    });
    expect(writes).toBe(3);
  });

  it.each([1, 2, 5])(
    'If reading fails after %d batches, no write goes on after the failure',
    async (count) => {
      let running = 0;
      const result = writeBatches(failingAfter(count), {
        passagesMax: 4,
        async write() {
          running += 1;
          for (let index = 0; index < 10; index += 1) await turn();
          running -= 1;
        },
      });
      await expect(result).rejects.toThrow('the body has ended');
      expect(running).toBe(0);
    },
  );

  it('If a write fails, nothing more is written', async () => {
    const written: number[] = [];
    const result = writeBatches(batchesOf(1, 1, 1, 1, 1), {
      passagesMax: 4,
      async write(passages) {
        const ordinal = passages[0]?.ordinal ?? -1;
        if (ordinal === 1) throw new Error('the disk is full');
        written.push(ordinal);
      },
    });
    await expect(result).rejects.toThrow('the disk is full');
    expect(written).toEqual([0]);
  });
});
