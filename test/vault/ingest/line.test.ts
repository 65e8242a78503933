import { describe, expect, it } from 'vitest';
import { createLine } from '../../../src/vault/ingest/line.ts';

const never = new AbortController().signal;

describe('the line of files', () => {
  it('lets as many work as there are places, in the order in which they came', async () => {
    const line = createLine({ places: 2, waitingMax: 8 });
    const started: number[] = [];
    const tickets = [0, 1, 2, 3, 4].map((name) => {
      const ticket = line.join();
      void ticket.turn(never).then(() => started.push(name));
      return ticket;
    });
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    await settled();
    expect(started).toEqual([0, 1]);
    tickets[1]?.leave();
    await settled();
    expect(started).toEqual([0, 1, 2]);
    for (const ticket of tickets.filter((_, name) => name !== 1)) ticket.leave();
    await settled();
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  it('tells each how many stand before it, each time that changes', async () => {
    const line = createLine({ places: 1, waitingMax: 8 });
    const first = line.join();
    await first.turn(never);
    const heard: number[] = [];
    const gone = new AbortController();
    const second = line.join();
    const givenUp = expect(second.turn(gone.signal)).rejects.toThrow('enough');
    void line.join().turn(never, (ahead) => heard.push(ahead));
    gone.abort(new Error('enough'));
    await givenUp;
    second.leave();
    expect(heard).toEqual([1, 0]);
    first.leave();
    const last = line.join();
    const blocked = new AbortController();
    const outcome = expect(last.turn(blocked.signal)).rejects.toThrow('no place was free');
    blocked.abort(new Error('no place was free'));
    await outcome;
  });

  it('sends away who comes when all places are taken, and takes the next as soon as somebody left', () => {
    const line = createLine({ places: 1, waitingMax: 1 });
    const ticket = line.join();
    line.join();
    expect(() => line.join()).toThrow('Too many files are waiting to be read; send it again later');
    ticket.leave();
    line.join();
    expect(() => line.join()).toThrow('Too many');
  });
});
