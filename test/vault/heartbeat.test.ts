import type { RequestListener } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startHeartbeat } from '../../src/vault/heartbeat.ts';
import { receiver, recordLog } from '../support/vault.ts';

const path = '/beat/only-its-owner-knows-this';
const cleanups: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

async function heartbeatTo(
  answer: RequestListener,
  options: Partial<Parameters<typeof startHeartbeat>[0]> = {},
) {
  const service = await receiver(answer);
  const { lines, log } = recordLog();
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
  cleanups.push(service.stop, heartbeat.close);
  const logText = () => lines.join('');
  return { ...service, heartbeat, logText };
}

describe('startHeartbeat', () => {
  it('A heartbeat is sent at the start and at every interval: of 30 heartbeats none is missing and none is sent twice', async () => {
    const intervalMs = 100;
    const arrivedAtMs: number[] = [];
    let healthChecks = 0;
    const { requests, heartbeat, logText } = await heartbeatTo(
      (_, response) => {
        arrivedAtMs.push(performance.now());
        response.end('ok');
      },
      {
        intervalMs,
        // On a busy machine an answer can take longer than the limit of the other tests, and what is
        // tried again would be counted.
        answerTimeoutMs: 30_000,
        isHealthy: async () => {
          healthChecks += 1;
          return true;
        },
      },
    );
    const startedAt = performance.now();
    await expect
      .poll(() => requests.length, { timeout: 60_000, interval: 10 })
      .toBeGreaterThanOrEqual(30);
    heartbeat.close();
    const durationMs = (arrivedAtMs[29] ?? 0) - startedAt;
    // Timers fire late but never early, so 30 heartbeats take at least 28 intervals. A heartbeat
    // that was sent twice would shorten this.
    expect(durationMs).toBeGreaterThan(28 * intervalMs);
    // The health is checked once for each heartbeat that is due, so the numbers must be equal.
    expect(requests).toHaveLength(healthChecks);
    expect(requests.every(({ method, url }) => method === 'GET' && url === path)).toBe(true);
    const count = requests.length;
    await wait(3 * intervalMs);
    expect(requests).toHaveLength(count);
    expect(logText()).toBe('');
  });

  it('A rejected heartbeat is tried three times, and then not until the next interval', async () => {
    const { requests, logText } = await heartbeatTo((_, response) => response.writeHead(500).end());
    await expect.poll(logText).toContain('did not arrive');
    expect(requests).toHaveLength(3);
    expect(logText()).toContain('answered 500');
  });

  it('A heartbeat that arrives at the second attempt is not sent a third time', async () => {
    let attempts = 0;
    const { requests, logText } = await heartbeatTo((_, response) => {
      attempts += 1;
      response.writeHead(attempts === 1 ? 503 : 200).end();
    });
    await expect.poll(() => requests.length).toBe(2);
    await wait(150);
    expect(requests).toHaveLength(2);
    expect(logText()).toBe('');
  });

  it('A heartbeat does not follow redirects', async () => {
    const elsewhere = await receiver((_, response) => response.end());
    cleanups.push(elsewhere.stop);
    const { requests, logText } = await heartbeatTo((_, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/caught` }).end(),
    );
    await expect.poll(logText).toContain('answered 302');
    expect(requests).toHaveLength(3);
    expect(elsewhere.requests).toHaveLength(0);
  });

  it('Heartbeats to a receiver that never answers time out, and never overlap', async () => {
    let open = 0;
    let openMax = 0;
    const { requests, logText } = await heartbeatTo(
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
    expect(logText()).toContain('did not answer in time');
  });

  it('A heartbeat closes the connection of an answer that never ends', async () => {
    let released = 0;
    const { requests, logText } = await heartbeatTo(
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
    expect(logText()).toBe('');
  });

  it('Heartbeats arrive again after the receiver was down', async () => {
    const dead = await receiver((_, response) => response.end());
    await dead.stop();
    const { lines, log } = recordLog();
    const heartbeat = startHeartbeat({
      url: dead.url + path,
      intervalMs: 80,
      isHealthy: async () => true,
      log,
      pausesMs: [5, 5],
    });
    cleanups.push(dead.stop, heartbeat.close);
    await expect.poll(() => lines.join('')).toContain('out of reach');
    await dead.start();
    await expect.poll(() => dead.requests.length).toBeGreaterThan(0);
  });

  it('No heartbeat is sent while the vault is unhealthy', async () => {
    let isHealthyNow = false;
    const { requests, logText } = await heartbeatTo((_, response) => response.end(), {
      intervalMs: 40,
      isHealthy: async () => isHealthyNow,
    });
    await expect.poll(() => logText().split('not healthy').length).toBeGreaterThan(3);
    expect(requests).toHaveLength(0);
    isHealthyNow = true;
    await expect.poll(() => requests.length).toBeGreaterThan(0);
  });

  it('The log never contains the address of the receiver', async () => {
    const refused = await heartbeatTo((_, response) => response.writeHead(404).end());
    const broken = await heartbeatTo((request) => request.socket.destroy());
    const silent = await heartbeatTo(() => {});
    for (const { logText } of [refused, broken, silent])
      await expect.poll(logText, { timeout: 60_000 }).toContain('did not arrive');
    for (const { logText, url } of [refused, broken, silent]) {
      expect(logText()).not.toContain('only-its-owner');
      expect(logText()).not.toContain(new URL(url).port);
    }
  });

  it('Each heartbeat is reported as arrived, lost or withheld', async () => {
    const outcomes: string[] = [];
    let isHealthyNow = true;
    let status = 200;
    await heartbeatTo((_, response) => response.writeHead(status).end(), {
      intervalMs: 150,
      isHealthy: async () => isHealthyNow,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    await expect.poll(() => outcomes).toContain('arrived');
    status = 500;
    await expect.poll(() => outcomes).toContain('lost');
    isHealthyNow = false;
    await expect.poll(() => outcomes).toContain('withheld');
  });
});
