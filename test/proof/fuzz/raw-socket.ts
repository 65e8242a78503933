import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export type RawPiece = string | Uint8Array | { waitMs: number };

/** The bytes that came back over a TCP connection, and whether the server closed it. */
export type RawAnswer = { text: string; statuses: number[]; isClosed: boolean; ms: number };

type RawSendOptions = {
  /** Resets the connection instead of waiting for the answer. */
  resets?: boolean;
  /** How long the sender waits for the first byte before it ends its side. */
  patienceMs?: number;
  /** How long the server may take after that to close the connection. */
  closeMs?: number;
};

const quietMs = 80;

/** Sends bytes unchanged, and reads until no more bytes arrive or the connection is closed. */
export async function sendRaw(
  origin: string,
  pieces: readonly RawPiece[],
  { resets = false, patienceMs = 700, closeMs = 5_000 }: RawSendOptions = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let lastAt = 0;
  let isClosed = false;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    lastAt = performance.now();
  });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    isClosed = true;
  });
  for (const piece of pieces) {
    if (typeof piece === 'object' && 'waitMs' in piece) await wait(piece.waitMs);
    else if (!socket.destroyed) socket.write(piece);
  }
  const startedAt = performance.now();
  if (resets) {
    await wait(quietMs);
    socket.resetAndDestroy();
  }
  const isQuiet = () =>
    lastAt > 0 ? performance.now() - lastAt > quietMs : performance.now() - startedAt > patienceMs;
  while (!isClosed && !isQuiet()) await wait(10);
  // Ending this side tells the server that no more bytes follow.
  const endedAt = performance.now();
  if (!isClosed) socket.end();
  while (!isClosed && performance.now() - endedAt < closeMs) await wait(10);
  socket.destroy();
  const text = Buffer.concat(chunks).toString('latin1');
  const statuses = [...text.matchAll(/(?:^|\r\n\r\n|[}\n])HTTP\/1\.[01] (\d{3}) /g)].map(
    ([, status]) => Number(status),
  );
  return { text, statuses, isClosed, ms: (lastAt || performance.now()) - startedAt };
}

/** Sends these bytes and then waits until the server closes the connection. */
export async function waitForClose(
  origin: string,
  bytes: string,
  limitMs: number,
): Promise<{ isClosed: boolean; ms: number }> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  const startedAt = performance.now();
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(bytes);
  const isClosed = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  socket.destroy();
  return { isClosed, ms: performance.now() - startedAt };
}
