import { once } from 'node:events';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { Started } from './platform/server.ts';

export type ThreadOptions =
  | { part: 'vault'; secret: string; vectorDbUrl: string }
  | { part: 'vector-db'; secret: string };

/**
 * Starts the vault or the vector database in a thread of this process, so that reading a document
 * or building an index never keeps the API's event loop busy. A thread, not a process: it ends with
 * this process, whose signals and locks it shares.
 */
export async function startInThread(options: ThreadOptions): Promise<Started> {
  const thread = new Worker(new URL('./part-thread.ts', import.meta.url), {
    workerData: options,
    env: SHARE_ENV,
  });
  // Rejects with the error of a thread that does not start.
  const [{ addresses }]: [{ addresses: Record<string, string> }] = (await once(
    thread,
    'message',
  )) as [{ addresses: Record<string, string> }];
  const ended = once(thread, 'exit');
  // A part that fails later must not leave an API behind that only seems to work.
  thread.on('error', (error) => {
    throw error;
  });
  return {
    addresses,
    stop: () => thread.postMessage('stop'),
    cutOff: () => thread.postMessage('cutOff'),
    async close() {
      thread.postMessage('close');
      await ended;
    },
  };
}
