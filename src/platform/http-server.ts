import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorCatalogue } from './errors.ts';
import { limitLingering } from './lingering-close.ts';
import type { Log } from './log.ts';

/**
 * How long a body may take is a matter of its size: whoever reads it watches the pace. The front
 * door answers a request without a host.
 */
const options = {
  keepAliveTimeout: 65_000,
  headersTimeout: 10_000,
  requestTimeout: 0,
  requireHostHeader: false,
};

/**
 * A server whose refusals all have the error body, also those of requests that are not valid HTTP.
 */
export function createHttpServer(listener: RequestListener, log: Log): Server {
  const lastResponses = new WeakMap<Duplex, ServerResponse>();
  const serve: RequestListener = (request, response) => {
    lastResponses.set(request.socket, response);
    listener(request, response);
  };
  const server = createServer(options, serve);
  server.on('checkContinue', (request, response) => {
    continueOnRead(request, response);
    serve(request, response);
  });
  server.on('checkExpectation', serve);
  server.on('connect', (_, socket) =>
    refuse(
      socket,
      {
        code: 'METHOD_NOT_ALLOWED',
        message: 'CONNECT is not supported: this server is not a proxy',
      },
      log,
    ),
  );
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: ParseError, socket) => {
    // What a client sends after such a request is refused as well, once for each packet.
    if (refused.has(socket)) return;
    refused.add(socket);
    const last = lastResponses.get(socket);
    const isAnswering = last?.headersSent && !last.writableFinished;
    if (!socket.writable || isAnswering || isGone(error)) return void socket.destroy();
    refuse(socket, refusalOf(error), log);
  });
  return server;
}

type ParseError = Error & { code?: string; reason?: string };
type Refusal = { code: ErrorCode; message: string };

const isGone = ({ code }: ParseError): boolean => code === 'ECONNRESET' || code === 'EPIPE';

function refusalOf({ code, reason }: ParseError): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        code: 'HEADERS_TOO_LARGE',
        message: `The request line and the headers are larger than ${maxHeaderSize} bytes`,
      };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The chunk extensions of the body are too large',
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time' };
    default:
      return {
        code: 'BAD_INPUT',
        message: reason
          ? `The request is not valid HTTP: ${reason}`
          : 'The request is not valid HTTP',
      };
  }
}

/**
 * There is no request, so there is no response either: the answer is written to the connection, and
 * the connection is closed.
 */
function refuse(socket: Duplex, { code, message }: Refusal, log: Log): void {
  const { status } = errorCatalogue[code];
  const requestId = randomUUID();
  const body = JSON.stringify({ status: 'error', message, code, requestId });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...(status === 405 ? ['Allow: GET, HEAD, POST, PUT, PATCH, DELETE'] : []),
    'Connection: close',
  ];
  log.info({ requestId, status, message }, 'a request that is not valid HTTP was refused');
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  limitLingering(socket);
}

/**
 * A client that sends `Expect: 100-continue` waits with its body. It is told to go on when the body
 * is first read: a request that is refused before gets the refusal instead.
 */
function continueOnRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read.call(request, size);
  };
}
