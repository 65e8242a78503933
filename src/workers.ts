import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { findFreePort, type StartedPart } from './http/server.ts';
import { serveClusterMetrics } from './platform/cluster-metrics.ts';
import type { Env } from './platform/env.ts';
import type { Log } from './platform/log.ts';

type WorkersOptions = { env: Env; vault: { url: string; secret: string } | undefined; log: Log };

// A worker that ends is replaced. The delay doubles with each quick failure, so that a worker that
// cannot start does not use up the CPU.
const restartDelayMsMin = 100;
const restartDelayMsMax = 30_000;
const stableAfterMs = 60_000;

/**
 * Starts WORKERS API processes behind one port. This primary process serves no requests: it counts
 * rate limits if there is no Redis, and replaces workers that end.
 */
export async function startWorkers({ env, vault, log }: WorkersOptions): Promise<StartedPart> {
  const port = await findFreePort(env);
  let stopping = false;
  const restartTimers = new Set<NodeJS.Timeout>();
  // The rate limits of all workers: each worker creates its counters in this process.
  void new RateLimiterClusterMaster();
  serveClusterMetrics(log);
  // No worker remains when this process exits. If it is killed, the workers notice the closed
  // channel.
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
    // A message cannot be delivered to a worker that has just ended; its exit event is handled
    // below.
    worker.on('error', (error) =>
      log.warn({ err: error, worker: number }, 'could not reach a worker'),
    );
    return worker;
  };

  // The first worker starts alone: it applies the migrations, and if it cannot start, no other
  // worker could.
  const first = fork(1, 'handles-first-start');
  const started = await startOf(first);
  if (!started) throw new Error('The first of the workers did not start');

  /** Starts another worker when this one ends. */
  const restartOnExit = (number: number, worker: Worker, failures: number): void => {
    const startedAt = performance.now();
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (stopping) return;
      const failed = performance.now() - startedAt > stableAfterMs ? 0 : failures + 1;
      const restartInMs = Math.min(restartDelayMsMax, restartDelayMsMin * 2 ** failed);
      log.error(
        { worker: number, code, signal, restartInMs },
        'a worker ended and will be replaced',
      );
      const timer = setTimeout(() => {
        restartTimers.delete(timer);
        restartOnExit(number, fork(number), failed);
      }, restartInMs);
      restartTimers.add(timer);
    });
  };

  restartOnExit(1, first, 0);
  const others = Array.from({ length: env.WORKERS - 1 }, (_, index) => ({
    number: index + 2,
    worker: fork(index + 2),
  }));
  for (const { number, worker } of others) restartOnExit(number, worker, 0);
  await Promise.all(others.map(({ worker }) => startOf(worker)));

  return {
    ...started,
    stop() {
      stopping = true;
      for (const timer of restartTimers) clearTimeout(timer);
      for (const { process: child } of running()) child.kill('SIGTERM');
    },
    async close() {
      const ends = await Promise.all(running().map((worker) => once(worker, 'exit')));
      // A worker that the signal ended before it had installed its handler had nothing to clean up.
      const failed = ends.filter(([code, signal]) => code !== 0 && signal !== 'SIGTERM');
      if (failed.length > 0) throw new Error(`${failed.length} workers did not stop in good order`);
    },
    // The workers apply the same time limit themselves.
    closeConnections: () => undefined,
  };
}

type WorkerStart = Pick<StartedPart, 'addresses' | 'welcome'>;

const running = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter(
    (worker) => worker !== undefined && !worker.isDead(),
  ) as Worker[];

/**
 * Resolves with what a worker reports once it has started, or with undefined if it ends before.
 */
function startOf(worker: Worker): Promise<WorkerStart | undefined> {
  return new Promise((resolve) => {
    worker.on('message', (message: unknown) => {
      if (typeof message === 'object' && message !== null && 'addresses' in message)
        resolve(message as WorkerStart);
    });
    worker.once('exit', () => resolve(undefined));
  });
}
