import { connect, type Socket } from 'node:net';

/** What a slow client begins with, and what it sends on, bit by bit. */
export type SlowClient = { begin: string; goOn: () => string; everyMs: number };

/**
 * So many slow clients at once: each goes on as long as it is let, and comes again when it is
 * turned away.
 */
export function holdSlowClients(
  origin: string,
  count: number,
  { begin, goOn, everyMs }: SlowClient,
) {
  const { hostname, port } = new URL(origin);
  const open = new Set<Socket>();
  let isOver = false;
  let turnedAway = 0;
  const come = () => {
    if (isOver) return;
    const socket = connect(Number(port), hostname);
    const sending = setInterval(() => socket.write(goOn()), everyMs);
    socket.on('connect', () => {
      open.add(socket);
      socket.write(begin);
    });
    socket.on('error', () => undefined);
    // What comes is read and thrown away, so that the end of the connection is seen.
    socket.resume();
    socket.on('close', () => {
      clearInterval(sending);
      open.delete(socket);
      turnedAway += 1;
      if (!isOver) setTimeout(come, 100);
    });
  };
  for (let number = 0; number < count; number += 1) come();
  return {
    held: () => open.size,
    turnedAway: () => turnedAway,
    end(): void {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

export type SlowClients = ReturnType<typeof holdSlowClients>;

const letter = () => String.fromCharCode(97 + Math.floor(Math.random() * 26));

/** A head that never ends. */
export const slowHeaders: SlowClient = {
  begin: 'GET /api/user-management/v1/users HTTP/1.1\r\nHost: atrium.test\r\n',
  goOn: () => `X-${letter()}: ${letter()}\r\n`,
  everyMs: 1_000,
};

/** A body of which a byte comes now and then, to whoever reads JSON. */
export const slowBody = (key: string): SlowClient => ({
  begin: `POST /graphql HTTP/1.1\r\nHost: atrium.test\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 8192\r\n\r\n{"query":"`,
  goOn: letter,
  everyMs: 1_000,
});

/** A file of which a byte comes now and then. */
export const slowUpload = (key: string, path: string): SlowClient => ({
  begin: [
    `POST ${path} HTTP/1.1`,
    'Host: atrium.test',
    `Authorization: Bearer ${key}`,
    'Content-Type: multipart/form-data; boundary=slow',
    'Content-Length: 1000000',
    '',
    '--slow',
    'Content-Disposition: form-data; name="file"; filename="slow.txt"',
    '',
    '',
  ].join('\r\n'),
  goOn: letter,
  everyMs: 1_000,
});
