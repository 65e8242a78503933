import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { dataDir as emptyDatabase } from '@electric-sql/pglite-prepopulatedfs';

const query = 0x51;
const sync = 0x53;
const terminate = 0x58;
const idle = 0x49;
const rollback = Uint8Array.from(Buffer.from('Q\0\0\0\x0drollback\0', 'latin1'));

/**
 * Postgres with pgvector inside this process, on a port. All connections share one session, as
 * PGlite has no more: a connection that has begun a transaction is the only one until its end.
 */
export async function startPgliteServer() {
  const database = await PGlite.create('memory://', {
    extensions: { vector },
    loadDataDir: await emptyDatabase(),
  });
  type Turn = { socket: Socket; messages: Uint8Array; answer: (bytes: Uint8Array) => void };
  const turns: Turn[] = [];
  const sockets = new Set<Socket>();
  let inTransaction: Socket | undefined;
  let isWorking = false;
  let isClosed = false;

  const work = async () => {
    if (isWorking) return;
    isWorking = true;
    while (!isClosed) {
      const next = inTransaction
        ? turns.findIndex(({ socket }) => socket === inTransaction)
        : turns.length - 1;
      const [turn] = next < 0 ? [] : turns.splice(inTransaction ? next : 0, 1);
      if (!turn) break;
      const bytes = await database.execProtocolRaw(turn.messages);
      const status = bytes.at(-1);
      inTransaction = status === idle ? undefined : turn.socket;
      turn.answer(bytes);
    }
    isWorking = false;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    let complete = 0;
    let isStarted = false;
    const takeTurn = () => {
      const messages = Uint8Array.from(received.subarray(0, complete));
      received = received.subarray(complete);
      complete = 0;
      turns.push({ socket, messages, answer: (bytes) => socket.writable && socket.write(bytes) });
      void work();
    };
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (;;) {
        const typeBytes = isStarted ? 1 : 0;
        if (received.length < complete + typeBytes + 4) return;
        const length = typeBytes + received.readInt32BE(complete + typeBytes);
        if (received.length < complete + length) return;
        const type = isStarted ? received[complete] : query;
        if (type === terminate) return void socket.end();
        isStarted = true;
        complete += length;
        if (type === query || type === sync) takeTurn();
      }
    });
    socket.on('close', () => {
      sockets.delete(socket);
      for (let index = turns.length - 1; index >= 0; index -= 1)
        if (turns[index]?.socket === socket) turns.splice(index, 1);
      turns.push({ socket, messages: rollback, answer: () => {} });
      void work();
    });
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  };
  const port = await listen(0);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
      server.close();
      await database.close();
    },
  };
}
