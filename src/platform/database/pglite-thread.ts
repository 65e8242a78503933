import { parentPort, workerData } from 'node:worker_threads';
import { openPglite, type PgliteOrder } from './pglite.ts';

// The thread of an embedded database. Only pglite.ts starts it. It answers in the order of the
// messages: PGlite executes each of them in one synchronous call.

const directory: string = workerData;
const pglite = await openPglite(directory);

async function close(): Promise<void> {
  await pglite.close();
  parentPort?.close();
}

parentPort?.on('message', async (order: PgliteOrder) => {
  if (order === 'close') return close();
  const answer = Uint8Array.from(await pglite.execProtocolRaw(order));
  parentPort?.postMessage(answer, [answer.buffer]);
});
parentPort?.postMessage('opened');
