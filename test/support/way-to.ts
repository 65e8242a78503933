import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A way to a server, on which nothing moves while it is held, and which leads nowhere once it is
 * cut.
 */
export async function wayTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  let isHeld = false;
  let isCut = false;
  let turnedAway = 0;
  const way = createServer((near) => {
    if (isCut) {
      turnedAway += 1;
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(port || 5432), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (bytes: Buffer) => to.write(bytes));
      if (isHeld) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const address = way.address();
  const held = Object.assign(new URL(url), {
    hostname: '127.0.0.1',
    port: String(typeof address === 'object' && address?.port),
  });
  const each = (move: (socket: Socket) => void) => {
    for (const socket of sockets) move(socket);
  };
  return {
    url: held.href,
    /** How many have tried since it was cut. */
    turnedAway: () => turnedAway,
    cut() {
      isCut = true;
      each((socket) => socket.destroy());
    },
    mend() {
      isCut = false;
      turnedAway = 0;
    },
    hold() {
      isHeld = true;
      each((socket) => socket.pause());
    },
    letGo() {
      isHeld = false;
      each((socket) => socket.resume());
    },
    close() {
      each((socket) => socket.destroy());
      way.close();
    },
  };
}
