import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** One port for several processes: each connection goes to the next process that accepts it. */
export async function openForwarder(addresses: readonly string[]) {
  const ports = addresses.map((address) => Number(new URL(address).port));
  const open = new Set<Socket>();
  let next = 0;

  const forward = (client: Socket, triesLeft: number): void => {
    const server = connect(ports[next++ % ports.length] ?? 0, '127.0.0.1');
    server.once('connect', () => {
      open.add(server);
      client.pipe(server).pipe(client);
      const end = () => {
        open.delete(server);
        client.destroy();
        server.destroy();
      };
      server.on('error', end).once('close', end);
      client.once('close', end);
    });
    server.once('error', () => {
      if (server.connecting || open.has(server)) return;
      if (triesLeft > 0) forward(client, triesLeft - 1);
      else client.destroy();
    });
  };

  const front = createServer((client) => {
    client.on('error', () => client.destroy());
    forward(client, ports.length - 1);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      for (const server of open) server.destroy();
      front.close();
      await once(front, 'close');
    },
  };
}
