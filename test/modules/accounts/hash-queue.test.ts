import { expect, it } from 'vitest';
import { createHashQueue, type HashTurn } from '../../../src/modules/accounts/hash-queue.ts';

const limits = { atOnceMax: 1, waitingMax: 6, waitingOfNetworkMax: 3 };
const from = (network: string, isKnownDevice = false): HashTurn => ({ network, isKnownDevice });

/**
 * A queue whose only place is taken until `finish` is called, and the order in which the others had
 * their turn.
 */
function busyQueue() {
  const queue = createHashQueue(limits);
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const running = queue.run(() => first.promise);
  const enter = (name: string, turn?: HashTurn) =>
    queue
      .run(async () => void order.push(name), turn)
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

it('networks take turns, and known devices go first', async () => {
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

it('one network fills its own share only, and is told when to try again', async () => {
  const { enter, finish } = busyQueue();
  const all = [1, 2, 3, 4].map((index) => enter(`a${index}`, from('a')));
  const other = enter('b', from('b'));
  await finish();
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done', 'UNAVAILABLE 2']);
  expect(await other).toBe('done');
});

it('all networks together fill a bounded queue, in which known devices have their own part', async () => {
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

it('a hash that fails gives its place to the next', async () => {
  const queue = createHashQueue(limits);
  await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run(async () => 'works')).toBe('works');
});
