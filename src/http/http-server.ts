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
import { type ErrorCode, errorCatalogue } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { errorBodyOf } from './error-response.ts';
import { limitLingering } from './lingering-close.ts';

/**
 * Node's time limit for whole requests is off: the code that reads a body enforces a minimum rate
 * instead. The request pipeline rejects a request without a Host header.
 */
const options = {
  keepAliveTimeout: 65_000,
  headersTimeout: 10_000,
  requestTimeout: 0,
  requireHostHeader: false,
};

/**
 * An HTTP server whose errors all have the JSON error body, including the errors for requests that
 * are not valid HTTP.
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
    reject(
      socket,
      {
        code: 'METHOD_NOT_ALLOWED',
        message: 'CONNECT is not supported: this server is not a proxy',
      },
      log,
    ),
  );
  const rejected = new WeakSet<Duplex>();
  server.on('clientError', (error: ParseError, socket) => {
    // Node reports each packet that the client sends after a malformed request as another error.
    if (rejected.has(socket)) return;
    rejected.add(socket);
    const last = lastResponses.get(socket);
    const isAnswering = last?.headersSent && !last.writableFinished;
    if (!socket.writable || isAnswering || isDisconnect(error)) return void socket.destroy();
    reject(socket, rejectionFor(error), log);
  });
  return server;
}

type ParseError = Error & { code?: string; reason?: string };
type HttpRejection = { code: ErrorCode; message: string };

const isDisconnect = ({ code }: ParseError): boolean => code === 'ECONNRESET' || code === 'EPIPE';

function rejectionFor({ code, reason }: ParseError): HttpRejection {
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
 * Node has no request or response object here, so the response is written to the socket, which is
 * then closed.
 */
function reject(socket: Duplex, { code, message }: HttpRejection, log: Log): void {
  const { status } = errorCatalogue[code];
  const requestId = randomUUID();
  const body = JSON.stringify(errorBodyOf({ code, message, requestId }));
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
  log.info({ requestId, status, message }, 'rejected a request that is not valid HTTP');
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  limitLingering(socket);
}

/**
 * A client that sends `Expect: 100-continue` waits before it sends the body. The server sends `100
 * Continue` when the body is first read, so a request that is rejected earlier gets its error
 * without the body.
 */
function continueOnRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read.call(request, size);
  };
}
