import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';
import { AppError } from '../platform/errors.ts';
import { traceHeaders } from '../platform/trace-context.ts';
import { inClientSpan } from './client-span.ts';
import { signRequest } from './signature.ts';

export type VaultRequest = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  json?: object;
  body?: AsyncIterable<Uint8Array>;
  signal?: AbortSignal | undefined;
  /** The longest time without a byte from the vault. */
  idleTimeoutMs?: number;
};

export type VaultAnswer = {
  status: number;
  /** The WWW-Authenticate header. */
  challenge: string | undefined;
  isStream: boolean;
  bytes: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the rest. */
  end: () => void;
};

export const unreachable = (): AppError => new AppError('UNAVAILABLE', 'The vault is out of reach');

/**
 * An HTTP connection pool to one vault. Connections are reused, except those that carried a file.
 */
export function connectTo({ url, secret }: { url: string; secret: string }) {
  const base = url.replace(/\/+$/, '');
  const { request: open, Agent } = base.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  const sendOnce = (request: VaultRequest): Promise<VaultAnswer> =>
    inClientSpan(request, base, () => send(request));

  async function send({
    method,
    path,
    headers = {},
    json,
    body,
    signal,
    idleTimeoutMs = 30_000,
  }: VaultRequest): Promise<VaultAnswer> {
    signal?.throwIfAborted();
    const text = json === undefined ? undefined : JSON.stringify(json);
    const requestHeaders = {
      authorization: signRequest({ method, path, text }, { secret, audience: 'vault' }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
      ...traceHeaders(),
    };
    const request = open(`${base}${path}`, {
      method,
      headers: requestHeaders,
      agent: body ? false : agent,
      timeout: idleTimeoutMs,
    });
    const abort = () => request.destroy();
    signal?.addEventListener('abort', abort, { once: true });
    request.once('close', () => signal?.removeEventListener('abort', abort));
    request.on('timeout', () => request.destroy(new Error('the vault is silent')));
    const observedBody = body && observeBody(body);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        request.on('error', reject);
        // The answer may arrive before the whole body is sent. A later failure of the body has no
        // effect, because the promise is already resolved.
        if (observedBody) pipeline(observedBody.chunks, request, (error) => error && reject(error));
        else request.end(text);
      });
      // The code that reads the response handles its errors. This listener keeps an error that
      // occurs while nothing reads it from stopping the process.
      response.on('error', () => {});
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
      return {
        status: response.statusCode ?? 0,
        challenge: response.headers['www-authenticate'],
        isStream,
        bytes: response,
        end: () => request.destroy(),
      };
    } catch (error) {
      request.destroy();
      signal?.throwIfAborted();
      if (observedBody?.fault()) throw observedBody.fault();
      throw new ConnectionFault(error, request.reusedSocket);
    }
  }

  return {
    /**
     * Resolves with the vault's answer or throws UNAVAILABLE. If a reused connection turns out to be
     * closed, the request is sent once more on a new one.
     */
    async exchange(request: VaultRequest): Promise<VaultAnswer> {
      try {
        return await sendOnce(request);
      } catch (error) {
        if (!(error instanceof ConnectionFault)) throw error;
        if (!error.wasReused) throw unreachable();
      }
      return sendOnce(request).catch((error: unknown) => {
        throw error instanceof ConnectionFault ? unreachable() : error;
      });
    },
    close: () => agent.destroy(),
  };
}

class ConnectionFault extends Error {
  readonly wasReused: boolean;

  constructor(cause: unknown, wasReused: boolean) {
    super('no answer', { cause });
    this.wasReused = wasReused;
  }
}

/** Records an error of the body, so that it can be distinguished from one of the connection. */
function observeBody(body: AsyncIterable<Uint8Array>) {
  let fault: unknown;
  async function* chunks() {
    try {
      yield* body;
    } catch (error) {
      fault = error;
      throw error;
    }
  }
  return { chunks, fault: () => fault };
}
