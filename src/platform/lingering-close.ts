import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { uploadBytesPerSecondMin } from './paced-body.ts';

// A connection that is closed while unread bytes arrive is reset, and the reset can destroy the
// answer before its client has read it (RFC 9112, section 9.6). The times are nginx's
// lingering_timeout and lingering_time.
const patienceMsMax = 5_000;
const lingerMsMax = 30_000;
/**
 * More than the largest body that any call accepts: a client that sends everything before it reads
 * gets its answer, too.
 */
const bytesMax = 268_435_456;
const checkEveryMs = 250;

const lingering = new WeakSet<Socket>();

/** Whether this connection is only kept so that its client can read the answer. */
export const isLingering = (socket: Socket): boolean => lingering.has(socket);

/**
 * Closes the connection when its client goes on for too long, sends too much, or is slower than the
 * slowest upload that is accepted.
 */
export function limitLingering(socket: Duplex): void {
  if (!(socket instanceof Socket) || lingering.has(socket)) return;
  lingering.add(socket);
  const startedAt = performance.now();
  const bytesAtStart = socket.bytesRead;
  let bytesBefore = bytesAtStart;
  let patienceMs = patienceMsMax;
  const timer = setInterval(() => {
    const earnedMs = ((socket.bytesRead - bytesBefore) / uploadBytesPerSecondMin) * 1_000;
    bytesBefore = socket.bytesRead;
    patienceMs = Math.min(patienceMsMax, patienceMs - checkEveryMs + earnedMs);
    if (
      patienceMs <= 0 ||
      bytesBefore - bytesAtStart > bytesMax ||
      performance.now() - startedAt > lingerMsMax
    )
      socket.destroy();
  }, checkEveryMs);
  socket.once('close', () => clearInterval(timer));
}

export type WholeAnswer = { status: number; headers: OutgoingHeaders; text: string };
type OutgoingHeaders = Record<string, string | string[]>;

/**
 * Answers a request whose body is still on its way. The whole answer leaves at once. The response
 * itself is ended only when the rest of the body was discarded, because node:http closes the
 * connection at that moment.
 */
export function answerBeforeBody(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, text }: WholeAnswer,
): void {
  response.cork();
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  response.flushHeaders();
  response.write(text);
  response.uncork();
  const end = () => response.end();
  request.once('end', end);
  request.once('close', end);
  discardRest(request);
  limitLingering(request.socket);
}

/**
 * Reads a body and throws it away. A reader that gave up may still be attached, so the stream
 * cannot simply flow.
 */
export function discardRest(request: IncomingMessage): void {
  const discard = () => {
    while (request.read() !== null);
  };
  request.on('readable', discard);
  discard();
}
