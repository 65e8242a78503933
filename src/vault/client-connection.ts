import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';
import { AppError } from '../platform/errors.ts';

export type VaultRequest = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  json?: object;
  body?: AsyncIterable<Uint8Array>;
  signal?: AbortSignal | undefined;
  /** How long the vault may be silent. */
  silenceMs?: number;
};

export type VaultAnswer = {
  status: number;
  isStream: boolean;
  bytes: AsyncIterable<Uint8Array>;
  /** Ends the exchange, whatever is still on its way. */
  end: () => void;
};

export const outOfReach = (): AppError => new AppError('UNAVAILABLE', 'The vault is out of reach');

/**
 * Speaks HTTP with one vault. Connections are kept for the next call, except those that carried a
 * file.
 */
export function connectTo({ url, secret }: { url: string; secret: string }) {
  const base = url.replace(/\/+$/, '');
  const { request: open, Agent } = base.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  async function once({
    method,
    path,
    headers = {},
    json,
    body,
    signal,
    silenceMs = 30_000,
  }: VaultRequest): Promise<VaultAnswer> {
    signal?.throwIfAborted();
    const text = json === undefined ? undefined : JSON.stringify(json);
    const sent = {
      authorization: `Bearer ${secret}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const request = open(`${base}${path}`, {
      method,
      headers: sent,
      agent: body ? false : agent,
      timeout: silenceMs,
    });
    const abort = () => request.destroy();
    signal?.addEventListener('abort', abort, { once: true });
    request.once('close', () => signal?.removeEventListener('abort', abort));
    request.on('timeout', () => request.destroy(new Error('the vault is silent')));
    const watched = body && watch(body);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        request.on('error', reject);
        // An answer may come before the whole body is sent; what fails afterwards no longer
        // matters.
        if (watched) pipeline(watched.chunks, request, (error) => error && reject(error));
        else request.end(text);
      });
      // Errors of the response reach whoever reads it; this keeps one that comes when nobody does
      // from ending the process.
      response.on('error', () => {});
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
      return {
        status: response.statusCode ?? 0,
        isStream,
        bytes: response,
        end: () => request.destroy(),
      };
    } catch (error) {
      request.destroy();
      signal?.throwIfAborted();
      if (watched?.fault()) throw watched.fault();
      throw new ConnectionFault(error, request.reusedSocket);
    }
  }

  return {
    /**
     * The vault's answer; UNAVAILABLE when there is none. A kept connection that has ended
     * meanwhile is replaced once.
     */
    async exchange(request: VaultRequest): Promise<VaultAnswer> {
      try {
        return await once(request);
      } catch (error) {
        if (!(error instanceof ConnectionFault)) throw error;
        if (!error.wasKept) throw outOfReach();
      }
      return once(request).catch((error: unknown) => {
        throw error instanceof ConnectionFault ? outOfReach() : error;
      });
    },
    close: () => agent.destroy(),
  };
}

class ConnectionFault extends Error {
  readonly wasKept: boolean;

  constructor(cause: unknown, wasKept: boolean) {
    super('no answer', { cause });
    this.wasKept = wasKept;
  }
}

/** A body whose own fault can be told from the connection's. */
function watch(body: AsyncIterable<Uint8Array>) {
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
