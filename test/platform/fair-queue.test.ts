import { describe, expect, it } from 'vitest';
import { createFairQueue, type QueueTicket } from '../../src/platform/fair-queue.ts';

const neverAborted = new AbortController().signal;
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
 * Joins once for each tenant name, in order. `started` lists the tenants whose work has started,
 * and `finish` ends the work that has run longest.
 */
function joinAll(queue: ReturnType<typeof queueOf>, names: string[]) {
  const started: string[] = [];
  const running: { name: string; ticket: QueueTicket }[] = [];
  const join = (name: string) => {
    const ticket = queue.join(name);
    void ticket.turn(neverAborted).then(() => {
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
  it('the tickets of one tenant start in the order in which they joined, and no more than its limit at the same time', async () => {
    const queue = queueOf();
    const started: number[] = [];
    const tickets = [0, 1, 2, 3, 4].map((name) => {
      const ticket = queue.join('a');
      void ticket.turn(neverAborted).then(() => started.push(name));
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

  it('a ticket with a weight counts as that many, and the next one of its tenant does not overtake it', async () => {
    const queue = queueOf({ concurrencyMax: 8, concurrencyPerTenantMax: 4 });
    const started: string[] = [];
    const join = (tenant: string, weight: number) => {
      const ticket = queue.join(tenant, weight);
      void ticket.turn(neverAborted).then(() => started.push(`${tenant}${weight}`));
      return ticket;
    };
    const first = join('a', 3);
    const others = [join('a', 2), join('a', 1), join('b', 4)];
    await settled();
    expect(started).toEqual(['a3', 'b4']);
    first.leave();
    await settled();
    expect(started).toEqual(['a3', 'b4', 'a2', 'a1']);
    for (const ticket of others) ticket.leave();
  });

  it('the next free slot goes to the tenant with the least work in progress, however many tickets another has queued', async () => {
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

  it('tenants that always have work take turns', async () => {
    const names = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
    const { started, finish } = joinAll(queueOf({ concurrencyMax: 1 }), names);
    await settled();
    for (let round = 1; round < names.length; round += 1) await finish();
    expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('a tenant that has reached its own limit leaves free slots to others', async () => {
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

  it('each ticket is told how many tickets of its tenant are ahead, whenever that changes', async () => {
    const queue = queueOf({ concurrencyMax: 1, concurrencyPerTenantMax: 1 });
    const first = queue.join('a');
    await first.turn(neverAborted);
    const positions: number[] = [];
    const leaving = new AbortController();
    const second = queue.join('a');
    const cancelled = expect(second.turn(leaving.signal)).rejects.toThrow('enough');
    void queue.join('a').turn(neverAborted, (ahead) => positions.push(ahead));
    leaving.abort(new Error('enough'));
    await cancelled;
    second.leave();
    expect(positions).toEqual([1, 0]);
  });

  it('a ticket that exceeds a waiting limit is rejected, and accepted again when another has left', () => {
    const queue = queueOf({
      concurrencyMax: 1,
      concurrencyPerTenantMax: 1,
      waitingMax: 2,
      waitingPerTenantMax: 1,
    });
    const ticket = queue.join('loud');
    queue.join('loud');
    expect(() => queue.join('loud')).toThrow('the queue is full');
    queue.join('quiet');
    expect(() => queue.join('another')).toThrow('the queue is full');
    ticket.leave();
    queue.join('loud');
    expect(() => queue.join('loud')).toThrow('the queue is full');
  });
});
