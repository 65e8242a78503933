import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export type Piece = string | Uint8Array | { waitMs: number };

/** What came back over a bare connection, and how it ended. */
export type Heard = { text: string; statuses: number[]; closed: boolean; ms: number };

type Manner = {
  /** A sender that breaks off instead of waiting. */
  resets?: boolean;
  /** How long it waits for the first byte before it says that nothing more comes. */
  patienceMs?: number;
  /** How long after that the server may take to let go. */
  closeMs?: number;
};

const quietMs = 80;

/**
 * Sends bytes as they are, whatever HTTP says of them, and hears what comes until it is quiet or
 * over.
 */
export async function shoot(
  origin: string,
  pieces: readonly Piece[],
  { resets = false, patienceMs = 700, closeMs = 5_000 }: Manner = {},
): Promise<Heard> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let lastAt = 0;
  let closed = false;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    lastAt = performance.now();
  });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    closed = true;
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
  while (!closed && !isQuiet()) await wait(10);
  // Whoever waits for more learns that there is none.
  const endedAt = performance.now();
  if (!closed) socket.end();
  while (!closed && performance.now() - endedAt < closeMs) await wait(10);
  socket.destroy();
  const text = Buffer.concat(chunks).toString('latin1');
  const statuses = [...text.matchAll(/(?:^|\r\n\r\n|[}\n])HTTP\/1\.[01] (\d{3}) /g)].map(
    ([, status]) => Number(status),
  );
  return { text, statuses, closed, ms: (lastAt || performance.now()) - startedAt };
}

/** Sends that and nothing more, and stays until the other side has enough. */
export async function holdOn(
  origin: string,
  bytes: string,
  limitMs: number,
): Promise<{ closed: boolean; ms: number }> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  const startedAt = performance.now();
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(bytes);
  const closed = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  socket.destroy();
  return { closed, ms: performance.now() - startedAt };
}
