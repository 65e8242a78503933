import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a server. It can be paused, so that no data passes, or refuse connections. */
export async function proxyTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  let isPaused = false;
  let isRefusing = false;
  let refusedConnections = 0;
  const proxy = createServer((client) => {
    if (isRefusing) {
      refusedConnections += 1;
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(port || 5432), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.push(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (bytes: Buffer) => to.write(bytes));
      if (isPaused) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const proxyUrl = Object.assign(new URL(url), {
    hostname: '127.0.0.1',
    port: String(typeof address === 'object' && address?.port),
  });
  const forEachSocket = (action: (socket: Socket) => void) => {
    for (const socket of sockets) action(socket);
  };
  return {
    url: proxyUrl.href,
    /** Connection attempts since it started to refuse. */
    refusedConnections: () => refusedConnections,
    refuse() {
      isRefusing = true;
      forEachSocket((socket) => socket.destroy());
    },
    accept() {
      isRefusing = false;
      refusedConnections = 0;
    },
    pause() {
      isPaused = true;
      forEachSocket((socket) => socket.pause());
    },
    resume() {
      isPaused = false;
      forEachSocket((socket) => socket.resume());
    },
    close() {
      forEachSocket((socket) => socket.destroy());
      proxy.close();
    },
  };
}
