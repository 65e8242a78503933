import { describe, expect, it } from 'vitest';
import { createFairQueue, type QueueTicket } from '../../src/platform/fair-queue.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

const queueOf = (limits: Partial<Parameters<typeof createFairQueue>[0]> = {}) =>
  createFairQueue({
    concurrencyMax: 2,
    concurrencyPerTenantMax: 2,
    waitingMax: 100,
    waitingPerTenantMax: 100,
    refusal: () => new Error('the queue is full'),
    ...limits,
  });

/**
 * Joins for each name in order; `started` lists whose work has started, and `finish` ends the
 * oldest running work of a tenant.
 */
function joinAll(queue: ReturnType<typeof queueOf>, names: string[]) {
  const started: string[] = [];
  const running: { name: string; ticket: QueueTicket }[] = [];
  const join = (name: string) => {
    const ticket = queue.join(name);
    void ticket.turn(never).then(() => {
      started.push(name);
      running.push({ name, ticket });
    });
  };
  for (const name of names) join(name);
  return {
    started,
    join,
    async finish() {
      running.shift()?.ticket.leave();
      await settled();
    },
  };
}

describe('the fair queue', () => {
  it('starts the tickets of one tenant in the order in which they joined, never more than its limit at a time', async () => {
    const queue = queueOf();
    const started: number[] = [];
    const tickets = [0, 1, 2, 3, 4].map((name) => {
      const ticket = queue.join('a');
      void ticket.turn(never).then(() => started.push(name));
      return ticket;
    });
    await settled();
    expect(started).toEqual([0, 1]);
    tickets[1]?.leave();
    await settled();
    expect(started).toEqual([0, 1, 2]);
    for (const ticket of tickets.filter((_, name) => name !== 1)) ticket.leave();
    await settled();
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  it('gives the next free slot to the tenant with the least work in progress, whatever another has queued before', async () => {
    const { started, join, finish } = joinAll(
      queueOf(),
      Array.from({ length: 50 }, () => 'loud'),
    );
    await settled();
    expect(started).toEqual(['loud', 'loud']);
    join('quiet');
    await finish();
    expect(started).toEqual(['loud', 'loud', 'quiet']);
  });

  it('alternates between tenants that always have work', async () => {
    const names = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
    const { started, finish } = joinAll(queueOf({ concurrencyMax: 1 }), names);
    await settled();
    for (let round = 1; round < names.length; round += 1) await finish();
    expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('leaves a slot free for others where one tenant has reached its own limit', async () => {
    const { started, join } = joinAll(queueOf({ concurrencyPerTenantMax: 1 }), [
      'loud',
      'loud',
      'loud',
    ]);
    await settled();
    expect(started).toEqual(['loud']);
    join('quiet');
    await settled();
    expect(started).toEqual(['loud', 'quiet']);
  });

  it('tells each ticket how many of its tenant are ahead, each time that changes', async () => {
    const queue = queueOf({ concurrencyMax: 1, concurrencyPerTenantMax: 1 });
    const first = queue.join('a');
    await first.turn(never);
    const heard: number[] = [];
    const gone = new AbortController();
    const second = queue.join('a');
    const givenUp = expect(second.turn(gone.signal)).rejects.toThrow('enough');
    void queue.join('a').turn(never, (ahead) => heard.push(ahead));
    gone.abort(new Error('enough'));
    await givenUp;
    second.leave();
    expect(heard).toEqual([1, 0]);
  });

  it('refuses a ticket beyond the waiting limit of all or of one tenant, and accepts again when one has left', () => {
    const one = queueOf({
      concurrencyMax: 1,
      concurrencyPerTenantMax: 1,
      waitingMax: 2,
      waitingPerTenantMax: 1,
    });
    const ticket = one.join('loud');
    one.join('loud');
    expect(() => one.join('loud')).toThrow('the queue is full');
    one.join('quiet');
    expect(() => one.join('another')).toThrow('the queue is full');
    ticket.leave();
    one.join('loud');
    expect(() => one.join('loud')).toThrow('the queue is full');
  });
});
