import { expect, it } from 'vitest';
import {
  createHashQueue,
  type HashRequester,
} from '../../../../src/modules/accounts/passwords/hash-queue.ts';

const limits = { concurrencyMax: 1, waitingMax: 6, waitingOfNetworkMax: 3 };
const from = (network: string, isKnownDevice = false): HashRequester => ({
  network,
  isKnownDevice,
});

/**
 * A queue whose only slot is busy until `finish` is called, and the order in which the others run.
 */
function busyQueue() {
  const queue = createHashQueue(limits);
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const running = queue.run(() => first.promise);
  const enter = (name: string, requester?: HashRequester) =>
    queue
      .run(async () => void order.push(name), requester)
      .then(
        () => 'done',
        ({ code, retryAfterSeconds }) => `${code} ${retryAfterSeconds}`,
      );
  return {
    order,
    enter,
    async finish() {
      first.resolve();
      await running;
    },
  };
}

it('Networks take turns, and known devices go first', async () => {
  const { order, enter, finish } = busyQueue();
  const all = [
    enter('a1', from('a')),
    enter('a2', from('a')),
    enter('a3', from('a')),
    enter('b1', from('b')),
    enter('known', from('c', true)),
  ];
  await finish();
  await Promise.all(all);
  expect(order).toEqual(['known', 'a1', 'b1', 'a2', 'a3']);
});

it('A network that fills its share is rejected with a time to retry, and another network is not affected', async () => {
  const { enter, finish } = busyQueue();
  const all = [1, 2, 3, 4].map((index) => enter(`a${index}`, from('a')));
  const other = enter('b', from('b'));
  await finish();
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done', 'UNAVAILABLE 2']);
  expect(await other).toBe('done');
});

it('All networks together fill a bounded queue, and known devices have a separate share', async () => {
  const { enter, finish } = busyQueue();
  const strangers = Array.from({ length: 8 }, (_, index) =>
    enter(`s${index}`, from(`network ${index}`)),
  );
  const known = enter('known', from('home', true));
  await finish();
  expect((await Promise.all(strangers)).filter((answer) => answer === 'done')).toHaveLength(
    limits.waitingMax,
  );
  expect(await known).toBe('done');
});

it('A hash that fails releases its slot for the next one', async () => {
  const queue = createHashQueue(limits);
  await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run(async () => 'works')).toBe('works');
});
