import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { serveClusterMetrics } from './platform/cluster-metrics.ts';
import type { Env } from './platform/env.ts';
import type { Log } from './platform/log.ts';
import { listen, type Started } from './platform/server.ts';

type WorkersParts = { env: Env; vault: { url: string; secret: string } | undefined; log: Log };

// A worker that ends is replaced, sooner the longer it ran; one that can not start must not use up
// the machine with trying.
const soonestMs = 100;
const latestMs = 30_000;
const steadyMs = 60_000;

/**
 * As many API processes as WORKERS says, behind one port. This process serves none of their
 * requests: it counts limits where there is no Redis, and replaces a worker that ends.
 */
export async function startWorkers({ env, vault, log }: WorkersParts): Promise<Started> {
  const port = await freePortOf(env);
  let stopping = false;
  const waiting = new Set<NodeJS.Timeout>();
  // The limits of all workers; each makes its own counters here.
  void new RateLimiterClusterMaster();
  serveClusterMetrics(log);
  // However this process ends by itself, no worker stays behind; those of one that is killed
  // notice.
  process.once('exit', () => {
    for (const { process: child } of running()) child.kill('SIGKILL');
  });

  const fork = (number: number, ...args: string[]): Worker => {
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('./worker.ts', import.meta.url)),
      args: [String(number), ...args],
    });
    const modelDefault = env.MODEL_DEFAULT !== undefined && { MODEL_DEFAULT: env.MODEL_DEFAULT };
    const worker = cluster.fork({
      PORT: port,
      ...modelDefault,
      ...(vault && { VAULT_URL: vault.url, VAULT_SECRET: vault.secret }),
    });
    // What can not be told to a worker that has just ended; its end is heard of by itself.
    worker.on('error', (error) =>
      log.warn({ err: error, worker: number }, 'a worker was out of reach'),
    );
    return worker;
  };

  // The first alone: it brings the database up to date, and where it can not start no other could.
  const first = fork(1, 'welcomes');
  const addresses = await startOf(first);
  if (!addresses) throw new Error('The first of the workers did not start');

  /** Starts another whenever this one ends. */
  const keep = (number: number, worker: Worker, failures: number): void => {
    const startedAt = Date.now();
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (stopping) return;
      const failed = Date.now() - startedAt > steadyMs ? 0 : failures + 1;
      const againInMs = Math.min(latestMs, soonestMs * 2 ** failed);
      log.error(
        { worker: number, code, signal, againInMs },
        'a worker ended; another takes its place',
      );
      const timer = setTimeout(() => {
        waiting.delete(timer);
        keep(number, fork(number), failed);
      }, againInMs);
      waiting.add(timer);
    });
  };

  keep(1, first, 0);
  const others = Array.from({ length: env.WORKERS - 1 }, (_, index) => ({
    number: index + 2,
    worker: fork(index + 2),
  }));
  for (const { number, worker } of others) keep(number, worker, 0);
  await Promise.all(others.map(({ worker }) => startOf(worker)));

  return {
    addresses,
    stop() {
      stopping = true;
      for (const timer of waiting) clearTimeout(timer);
      for (const { process: child } of running()) child.kill('SIGTERM');
    },
    async close() {
      const ends = await Promise.all(running().map((worker) => once(worker, 'exit')));
      // Whom the signal met before it was ready for one had nothing to end.
      const failed = ends.filter(([code, signal]) => code !== 0 && signal !== 'SIGTERM');
      if (failed.length > 0) throw new Error(`${failed.length} workers did not stop in good order`);
    },
    // They keep the same time themselves.
    cutOff: () => undefined,
  };
}

// A port that several may listen on would also let another program of ours listen there, and nobody
// would notice.
async function freePortOf(env: Env): Promise<string> {
  const server = createServer();
  const address = await listen(server, env);
  server.close();
  await once(server, 'close');
  return new URL(address).port;
}

const running = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter(
    (worker) => worker !== undefined && !worker.isDead(),
  ) as Worker[];

/** The addresses of a worker that has started; undefined where it ends before. */
function startOf(worker: Worker): Promise<Record<string, string> | undefined> {
  return new Promise((resolve) => {
    worker.on('message', (message: unknown) => {
      if (typeof message === 'object' && message !== null && 'addresses' in message)
        resolve(message.addresses as Record<string, string>);
    });
    worker.once('exit', () => resolve(undefined));
  });
}
