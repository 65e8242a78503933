import { connect, type Socket } from 'node:net';

/** The first bytes of a slow client, and the bytes that it sends every `everyMs` after them. */
export type SlowClientBehavior = { firstBytes: string; nextBytes: () => string; everyMs: number };

/** The clients connect over this time, so that the server does not close all of them at once. */
export const connectingMs = 3_000;

/** Opens slow clients. Each sends until the server closes its connection, and then reconnects. */
export function openSlowClients(
  origin: string,
  count: number,
  { firstBytes, nextBytes, everyMs }: SlowClientBehavior,
) {
  const { hostname, port } = new URL(origin);
  const openSockets = new Set<Socket>();
  let isOver = false;
  let closedCount = 0;
  const connectOnce = () => {
    if (isOver) return;
    const socket = connect(Number(port), hostname);
    const sending = setInterval(() => socket.write(nextBytes()), everyMs);
    socket.on('connect', () => {
      openSockets.add(socket);
      socket.write(firstBytes);
    });
    socket.on('error', () => undefined);
    // Answers are read and discarded, so that the socket notices the end of the connection.
    socket.resume();
    socket.on('close', () => {
      clearInterval(sending);
      openSockets.delete(socket);
      closedCount += 1;
      if (!isOver) setTimeout(connectOnce, 100);
    });
  };
  for (let number = 0; number < count; number += 1)
    setTimeout(connectOnce, (number / count) * connectingMs);
  return {
    openCount: () => openSockets.size,
    closedCount: () => closedCount,
    stop(): void {
      isOver = true;
      for (const socket of openSockets) socket.destroy();
    },
  };
}

export type SlowClients = ReturnType<typeof openSlowClients>;

const letter = () => String.fromCharCode(97 + Math.floor(Math.random() * 26));

/** Headers that never end. */
export const slowHeaders: SlowClientBehavior = {
  firstBytes: 'GET /api/user-management/v1/users HTTP/1.1\r\nHost: atrium.test\r\n',
  nextBytes: () => `X-${letter()}: ${letter()}\r\n`,
  everyMs: 1_000,
};

/** A JSON body of which one byte arrives each second. */
export const slowBody = (key: string): SlowClientBehavior => ({
  firstBytes: `POST /graphql HTTP/1.1\r\nHost: atrium.test\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 8192\r\n\r\n{"query":"`,
  nextBytes: letter,
  everyMs: 1_000,
});

/** An uploaded file of which one byte arrives each second. */
export const slowUpload = (key: string, path: string): SlowClientBehavior => ({
  firstBytes: [
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
  nextBytes: letter,
  everyMs: 1_000,
});
