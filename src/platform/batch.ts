import { setTimeout as pause } from 'node:timers/promises';

type BatchOptions = {
  itemsMax: number;
  /** The shortest time between the beginnings of two batches of a key, unless the next one is full. */
  intervalMsMin?: () => number;
};

type WaitingItem<Item, Result> = {
  item: Item;
  done: (result: Result) => void;
  failed: (error: unknown) => void;
};

/**
 * Runs work for many callers at once. While the batch of a key runs, further items of the key wait
 * and become its next batch. `run` returns a result for each item, in order.
 */
export function createBatcher<Item, Result>(
  { itemsMax, intervalMsMin = () => 0 }: BatchOptions,
  run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>,
): (key: string, item: Item) => Promise<Result> {
  const waitingByKey = new Map<string, WaitingItem<Item, Result>[]>();

  async function runBatches(key: string, waiting: WaitingItem<Item, Result>[]): Promise<void> {
    // Items of the same turn of the event loop belong to the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, itemsMax);
      const intervalMs = intervalMsMin();
      const interval = intervalMs > 0 ? pause(intervalMs) : undefined;
      try {
        const results = await run(
          key,
          batch.map(({ item }) => item),
        );
        for (const [index, { done, failed }] of batch.entries()) {
          const result = results[index];
          if (result === undefined) failed(new Error('a batch returned too few results'));
          else done(result);
        }
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
      if (waiting.length < itemsMax) await interval;
    }
    waitingByKey.delete(key);
  }

  return (key, item) =>
    new Promise((done, failed) => {
      const waiting = waitingByKey.get(key);
      if (waiting) waiting.push({ item, done, failed });
      else {
        const first = [{ item, done, failed }];
        waitingByKey.set(key, first);
        void runBatches(key, first);
      }
    });
}
