import { describe, expect, it } from 'vitest';
import { createTenantPacer } from '../../src/platform/tenant-pacer.ts';

const neverAborted = new AbortController().signal;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A pacer with a clock that the test moves, and the requests that have started. */
function startPacer() {
  let time = 0;
  const pacer = createTenantPacer({ now: () => time });
  const started: { tenant: string; end: () => void }[] = [];
  const send = (tenant: string, signal = neverAborted) =>
    pacer.start(tenant, signal).then((end) => void started.push({ tenant, end }));
  return {
    pacer,
    send,
    started,
    countOf: (tenant: string) => started.filter((request) => request.tenant === tenant).length,
    moveTo: (ms: number) => (time = ms),
    /** Sends 40 requests, which raise the average of a second above two within 90 ms. */
    async raiseDemand(tenant: string) {
      for (let count = 0; count < 40; count += 1) void send(tenant);
      await settled();
      time += 90;
    },
  };
}

describe('the tenant pacer', () => {
  it('A tenant that is alone never waits', async () => {
    const { raiseDemand, send, countOf } = startPacer();
    await raiseDemand('alone');
    for (let count = 0; count < 20; count += 1) void send('alone');
    await settled();
    expect(countOf('alone')).toBe(60);
  });

  it('While others are active, the requests of a tenant with many start one after the other', async () => {
    const { raiseDemand, send, started, countOf, moveTo } = startPacer();
    await raiseDemand('busy');
    await send('quiet');
    for (let count = 0; count < 10; count += 1) void send('busy');
    await settled();
    expect(countOf('busy')).toBe(40);
    for (const { end } of started.splice(0)) end();
    moveTo(140);
    await expect.poll(() => countOf('busy')).toBe(1);
    await settled();
    expect(countOf('busy')).toBe(1);
    started[0]?.end();
    await expect.poll(() => countOf('busy')).toBe(2);
  });

  it('Its requests start in the gaps between those of the others, or after twice as long as the last one took', async () => {
    const { raiseDemand, send, started, countOf, moveTo } = startPacer();
    await raiseDemand('busy');
    for (const { end } of started.splice(0)) end();
    for (let time = 91; time < 260; time += 4) {
      await send('quiet');
      void send('busy');
      await settled();
      moveTo(time + 2);
      started.at(-1)?.end();
      await settled();
      expect(countOf('busy')).toBe(0);
      moveTo(time + 4);
    }
    await send('quiet');
    moveTo(275);
    await expect.poll(() => countOf('busy')).toBe(1);
    await settled();
    expect(countOf('busy')).toBe(1);
  });

  it('A gap is a pause as long as its last request took', async () => {
    const { raiseDemand, send, started, countOf, moveTo } = startPacer();
    await raiseDemand('busy');
    moveTo(60);
    for (const { end } of started.splice(0)) end();
    await send('quiet');
    started[0]?.end();
    void send('busy');
    moveTo(105);
    await settled();
    expect(countOf('busy')).toBe(0);
    moveTo(110);
    await expect.poll(() => countOf('busy')).toBe(1);
  });

  it('Requests that take long count towards the demand of their tenant', async () => {
    const { send, pacer, moveTo } = startPacer();
    for (let count = 0; count < 6; count += 1) await send('busy');
    moveTo(900);
    await send('quiet');
    expect(pacer.isPaced('busy')).toBe(true);
    expect(pacer.isPaced('quiet')).toBe(false);
  });

  it('Requests that last for more than a second no longer count towards the demand', async () => {
    const { send, pacer, moveTo } = startPacer();
    for (let count = 0; count < 6; count += 1) await send('busy');
    for (let time = 1_000; time <= 6_000; time += 500) {
      moveTo(time);
      await send('quiet');
    }
    expect(pacer.isPaced('busy')).toBe(false);
  });

  it('It waits while a request of another tenant is in progress', async () => {
    const { raiseDemand, send, started, countOf, moveTo } = startPacer();
    await raiseDemand('busy');
    for (const { end } of started.splice(0)) end();
    await send('quiet');
    void send('busy');
    for (const time of [100, 130, 160]) {
      moveTo(time);
      await settled();
      expect(countOf('busy')).toBe(0);
    }
    started[0]?.end();
    moveTo(210);
    await expect.poll(() => countOf('busy')).toBe(1);
  });

  it('A tenant that sends one request after the other does not wait beside a busy one', async () => {
    const { raiseDemand, send, started, countOf } = startPacer();
    await raiseDemand('busy');
    for (let count = 0; count < 50; count += 1) {
      await send('quiet');
      started.at(-1)?.end();
    }
    expect(countOf('quiet')).toBe(50);
  });

  it('A request counts for a tenth of a second at most, because it may wait for a model or an upload', async () => {
    const { raiseDemand, send, countOf, moveTo } = startPacer();
    await raiseDemand('busy');
    await send('quiet');
    void send('busy');
    await settled();
    expect(countOf('busy')).toBe(40);
    moveTo(200);
    await expect.poll(() => countOf('busy')).toBe(41);
  });

  it('Once the others are gone, all of its requests start', async () => {
    const { raiseDemand, send, countOf, moveTo } = startPacer();
    await raiseDemand('busy');
    await send('quiet');
    for (let count = 0; count < 10; count += 1) void send('busy');
    await settled();
    moveTo(2_000);
    await expect.poll(() => countOf('busy')).toBe(50);
  });

  it('An aborted request leaves the queue', async () => {
    const { raiseDemand, send, countOf, moveTo } = startPacer();
    await raiseDemand('busy');
    await send('quiet');
    const controller = new AbortController();
    const aborted = send('busy', controller.signal);
    void send('busy');
    controller.abort(new Error('the client has gone'));
    await expect(aborted).rejects.toThrow('the client has gone');
    moveTo(200);
    await expect.poll(() => countOf('busy')).toBe(41);
  });
});
