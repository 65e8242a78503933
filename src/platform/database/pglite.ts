import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { dataDir as emptyDatabase } from '@electric-sql/pglite-prepopulatedfs';

/** `execProtocolRaw` takes messages of the Postgres protocol, and returns those of the answer. */
export type Pglite = Pick<PGlite, 'execProtocolRaw' | 'close'>;

/** What the thread receives: messages of the protocol, or the order to close the database. */
export type PgliteOrder = Uint8Array<ArrayBuffer> | 'close';

const extensions = { pg_trgm };

/** A database on disk. */
export const openPglite = (directory: string): Promise<PGlite> =>
  PGlite.create(directory, { extensions });

/**
 * A database on disk in a thread of its own, so that its statements, each of which is one
 * synchronous call, do not block the event loop. If the thread fails, nothing is answered any more.
 */
export async function openPgliteInThread(
  directory: string,
  onFailure: (fault: Error) => void,
): Promise<Pglite> {
  const thread = new Worker(new URL('./pglite-thread.ts', import.meta.url), {
    workerData: directory,
  });
  // Rejects if the database cannot be opened.
  await once(thread, 'message');
  const waiting: PromiseWithResolvers<Uint8Array>[] = [];
  let isClosing = false;
  thread.on('message', (answer: Uint8Array) => {
    waiting.shift()?.resolve(answer);
    // Like a database in this thread, it keeps the process alive only while it works.
    if (waiting.length === 0 && !isClosing) thread.unref();
  });
  thread.on('error', onFailure);
  thread.unref();
  return {
    execProtocolRaw(messages) {
      const answer = Promise.withResolvers<Uint8Array>();
      waiting.push(answer);
      thread.ref();
      // Copied, because the messages can be a part of a larger buffer, which would be sent whole.
      const order: PgliteOrder = Uint8Array.from(messages);
      thread.postMessage(order, [order.buffer]);
      return answer.promise;
    },
    async close() {
      const ended = once(thread, 'exit');
      isClosing = true;
      thread.ref();
      thread.postMessage('close' satisfies PgliteOrder);
      await ended;
    },
  };
}

/**
 * A database in memory, which is empty or has the content of the dump. Its files are in memory, so
 * it needs no large cache of them: 128 MB, the default, would be filled with zeros at the start.
 */
export async function openPgliteInMemory(dump?: Blob): Promise<PGlite> {
  return PGlite.create('memory://', {
    extensions,
    loadDataDir: dump ?? (await emptyDatabase()),
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=4MB'],
  });
}
