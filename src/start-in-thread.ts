import { once } from 'node:events';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { StartedPart } from './http/server.ts';

export type ThreadOptions =
  | { part: 'vault'; secret: string; vectorDbUrl: string }
  | { part: 'vector-db'; secret: string };

/**
 * Starts the vault or the vector database in a thread of this process, so that reading a document
 * or building an index does not block the API's event loop. A thread, unlike a process, ends with
 * this process and shares its signals and locks.
 */
export async function startInThread(options: ThreadOptions): Promise<StartedPart> {
  const thread = new Worker(new URL('./part-thread.ts', import.meta.url), {
    workerData: options,
    env: SHARE_ENV,
  });
  // Rejects if the thread fails to start.
  const [{ addresses }]: [{ addresses: Record<string, string> }] = (await once(
    thread,
    'message',
  )) as [{ addresses: Record<string, string> }];
  const ended = once(thread, 'exit');
  // If the thread fails later, the process ends: an API without its vault would only seem to work.
  thread.on('error', (error) => {
    throw error;
  });
  return {
    addresses,
    stop: () => thread.postMessage('stop'),
    closeConnections: () => thread.postMessage('closeConnections'),
    async close() {
      thread.postMessage('close');
      await ended;
    },
  };
}
