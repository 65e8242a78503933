import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Asks one address every 20 ms, whatever became of the request before, in a thread of its own: what
// its parent does delays nothing.

const everyMs = 20;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const open = new Set<Promise<void>>();
let worstMs = 0;
let count = 0;
let failures = 0;

function probe(): void {
  const startedAt = performance.now();
  const done = new Promise<void>((resolve) => {
    const sent = get(workerData.address, { agent, headers: workerData.headers }, (response) => {
      if (response.statusCode !== 200) failures += 1;
      response.resume();
      response.on('end', resolve);
      response.on('error', () => resolve());
    });
    sent.on('error', () => {
      failures += 1;
      resolve();
    });
  }).then(() => {
    count += 1;
    worstMs = Math.max(worstMs, performance.now() - startedAt);
    open.delete(done);
  });
  open.add(done);
}

const timer = setInterval(probe, everyMs);
parentPort?.on('message', async (message: 'worst' | 'end') => {
  if (message === 'end') {
    clearInterval(timer);
    agent.destroy();
    return parentPort?.close();
  }
  probe();
  await Promise.all(open);
  parentPort?.postMessage({ worstMs, count, failures });
  worstMs = 0;
  count = 0;
});
