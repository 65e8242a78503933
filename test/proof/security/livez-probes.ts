import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Requests one address every 20 ms, whether or not the request before was answered. It runs in a
// thread, so that the work of its parent does not delay it.

const everyMs = 20;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const pending = new Set<Promise<void>>();
let worstMs = 0;
let count = 0;
let failures = 0;

function probe(): void {
  const startedAt = performance.now();
  const done = new Promise<void>((resolve) => {
    const outgoing = get(workerData.address, { agent, headers: workerData.headers }, (response) => {
      if (response.statusCode !== 200) failures += 1;
      response.resume();
      response.on('end', resolve);
      response.on('error', () => resolve());
    });
    outgoing.on('error', () => {
      failures += 1;
      resolve();
    });
  }).then(() => {
    count += 1;
    worstMs = Math.max(worstMs, performance.now() - startedAt);
    pending.delete(done);
  });
  pending.add(done);
}

const timer = setInterval(probe, everyMs);
parentPort?.on('message', async (message: 'worst' | 'end') => {
  if (message === 'end') {
    clearInterval(timer);
    agent.destroy();
    return parentPort?.close();
  }
  probe();
  await Promise.all(pending);
  parentPort?.postMessage({ worstMs, count, failures });
  worstMs = 0;
  count = 0;
});
