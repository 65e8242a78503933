import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { uploadBytesPerSecondMin } from './paced-body.ts';

// Closing a connection while unread bytes arrive resets it, and the reset can destroy the response
// before the client has read it (RFC 9112, section 9.6). The times equal nginx's lingering_timeout
// and lingering_time.
const patienceMsMax = 5_000;
const lingerMsMax = 30_000;
/**
 * Larger than any body that the API accepts, so that a client that sends its whole body before it
 * reads still gets the response.
 */
const bytesMax = 268_435_456;
const checkEveryMs = 250;

const lingering = new WeakSet<Socket>();

/** Whether this connection is open only so that its client can read the response. */
export const isLingering = (socket: Socket): boolean => lingering.has(socket);

/**
 * Closes the connection when the client sends for too long, sends too much, or sends more slowly
 * than the minimum upload rate.
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

export type CompleteResponse = {
  status: number;
  headers: OutgoingHeaders;
  content: string | Buffer;
};
type OutgoingHeaders = Record<string, string | string[]>;

/**
 * Responds to a request whose body is still being sent. The complete response is sent at once.
 * `end` is called only after the rest of the body was discarded, because node:http closes the
 * connection at that moment.
 */
export function answerBeforeBody(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, content }: CompleteResponse,
): void {
  response.cork();
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(content),
    connection: 'close',
  });
  response.flushHeaders();
  response.write(content);
  response.uncork();
  const end = () => response.end();
  request.once('end', end);
  request.once('close', end);
  discardRest(request);
  limitLingering(request.socket);
}

/**
 * Reads and discards the rest of a body. A reader that stopped early may still be attached, so
 * `resume()` would not work.
 */
export function discardRest(request: IncomingMessage): void {
  const discard = () => {
    while (request.read() !== null);
  };
  request.on('readable', discard);
  discard();
}
