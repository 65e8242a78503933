import type { RequestListener } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startHeartbeat } from '../../src/vault/heartbeat.ts';
import { linesOfLog, receiver } from '../support/vault.ts';

const path = '/sendIfHealthy/only-its-owner-knows-this';
const closings: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function isSending(
  answer: RequestListener,
  options: Partial<Parameters<typeof startHeartbeat>[0]> = {},
) {
  const service = await receiver(answer);
  const { lines, log } = linesOfLog();
  const url = service.url + path;
  const heartbeat = startHeartbeat({
    url,
    intervalMs: 60_000,
    isHealthy: async () => true,
    log,
    answerTimeoutMs: 200,
    pausesMs: [20, 40],
    ...options,
  });
  closings.push(service.stop, heartbeat.close);
  const logged = () => lines.join('');
  return { ...service, heartbeat, logged };
}

describe('the heartbeat', () => {
  it('comes once at the start and then at every interval: of 30 beats none is missed and none is doubled', async () => {
    const intervalMs = 100;
    const at: number[] = [];
    let due = 0;
    const { requests, heartbeat, logged } = await isSending(
      (_, response) => {
        at.push(performance.now());
        response.end('ok');
      },
      {
        intervalMs,
        isHealthy: async () => {
          due += 1;
          return true;
        },
      },
    );
    const startedAt = performance.now();
    await expect
      .poll(() => requests.length, { timeout: 60_000, interval: 10 })
      .toBeGreaterThanOrEqual(30);
    heartbeat.close();
    const lasted = (at[29] ?? 0) - startedAt;
    // Timers come late, never early: so many beats cannot stand closer than their intervals, and a
    // doubled one would.
    expect(lasted).toBeGreaterThan(28 * intervalMs);
    // Each time one is due the vault is asked how it is: as many arrived as were due.
    expect(requests).toHaveLength(due);
    expect(requests.every(({ method, url }) => method === 'GET' && url === path)).toBe(true);
    const count = requests.length;
    await wait(3 * intervalMs);
    expect(requests).toHaveLength(count);
    expect(logged()).toBe('');
  });

  it('that is refused is tried three times and then given up until the next', async () => {
    const { requests, logged } = await isSending((_, response) => response.writeHead(500).end());
    await expect.poll(logged).toContain('did not arrive');
    expect(requests).toHaveLength(3);
    expect(logged()).toContain('answered 500');
  });

  it('that arrives at the second try is not sent a third time', async () => {
    let tries = 0;
    const { requests, logged } = await isSending((_, response) => {
      tries += 1;
      response.writeHead(tries === 1 ? 503 : 200).end();
    });
    await expect.poll(() => requests.length).toBe(2);
    await wait(150);
    expect(requests).toHaveLength(2);
    expect(logged()).toBe('');
  });

  it('follows no redirect', async () => {
    const elsewhere = await receiver((_, response) => response.end());
    closings.push(elsewhere.stop);
    const { requests, logged } = await isSending((_, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/caught` }).end(),
    );
    await expect.poll(logged).toContain('answered 302');
    expect(requests).toHaveLength(3);
    expect(elsewhere.requests).toHaveLength(0);
  });

  it('does not wait for a receiver that never answers, and never runs twice at once', async () => {
    let open = 0;
    let openMax = 0;
    const { requests, logged } = await isSending(
      (request) => {
        open += 1;
        openMax = Math.max(openMax, open);
        request.once('close', () => {
          open -= 1;
        });
      },
      { intervalMs: 50 },
    );
    await expect.poll(() => requests.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(4);
    expect(openMax).toBe(1);
    expect(logged()).toContain('did not answer in time');
  });

  it('lets go of an answer that never ends', async () => {
    let released = 0;
    const { requests, logged } = await isSending(
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
        response.once('close', () => {
          clearInterval(timer);
          released += 1;
        });
      },
      { intervalMs: 60 },
    );
    await expect.poll(() => requests.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
    await expect.poll(() => released).toBeGreaterThanOrEqual(2);
    expect(logged()).toBe('');
  });

  it('is sent again as soon as a dead receiver lives', async () => {
    const dead = await receiver((_, response) => response.end());
    await dead.stop();
    const { lines, log } = linesOfLog();
    const heartbeat = startHeartbeat({
      url: dead.url + path,
      intervalMs: 80,
      isHealthy: async () => true,
      log,
      pausesMs: [5, 5],
    });
    closings.push(dead.stop, heartbeat.close);
    await expect.poll(() => lines.join('')).toContain('out of reach');
    await dead.start();
    await expect.poll(() => dead.requests.length).toBeGreaterThan(0);
  });

  it('is not sent while the vault is unhealthy', async () => {
    let healthy = false;
    const { requests, logged } = await isSending((_, response) => response.end(), {
      intervalMs: 40,
      isHealthy: async () => healthy,
    });
    await expect.poll(() => logged().split('not healthy').length).toBeGreaterThan(3);
    expect(requests).toHaveLength(0);
    healthy = true;
    await expect.poll(() => requests.length).toBeGreaterThan(0);
  });

  it('tells its address to no log, whatever happens', async () => {
    const refused = await isSending((_, response) => response.writeHead(404).end());
    const broken = await isSending((request) => request.socket.destroy());
    const silent = await isSending(() => {});
    for (const { logged } of [refused, broken, silent])
      await expect.poll(logged, { timeout: 60_000 }).toContain('did not arrive');
    for (const { logged, url } of [refused, broken, silent]) {
      expect(logged()).not.toContain('only-its-owner');
      expect(logged()).not.toContain(new URL(url).port);
    }
  });

  it('tells of each whether it arrived, was lost or withheld', async () => {
    const outcomes: string[] = [];
    let healthy = true;
    let status = 200;
    await isSending((_, response) => response.writeHead(status).end(), {
      intervalMs: 150,
      isHealthy: async () => healthy,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    await expect.poll(() => outcomes).toContain('arrived');
    status = 500;
    await expect.poll(() => outcomes).toContain('lost');
    healthy = false;
    await expect.poll(() => outcomes).toContain('withheld');
  });
});
