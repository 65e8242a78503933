import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { checkAddresses, checkPublicUrl } from './check-public-url.ts';
import { type Connection, openConnection } from './open-connection.ts';
import { PublicAddressError } from './public-address-error.ts';

/** Finds all addresses of a host name, as `dns.lookup` with `all` does. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

export type PublicRequest = {
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Bounds the whole request, from the resolution of the name to the end of the answer. */
  signal: AbortSignal;
  maxResponseBytes: number;
};

export type PublicRequestOptions = {
  /** Allows http and https to loopback addresses, on any port, for receivers in development. */
  allowLoopback?: boolean;
  /** A forward proxy that resolves names and connects. It must refuse private networks itself. */
  proxyUrl?: string | undefined;
  resolveHost?: ResolveHost;
  /** Certificates of authorities to trust instead of the default ones. */
  ca?: string | undefined;
};

/** `body` contains at most `maxResponseBytes`. The rest is not read. */
export type PublicResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/**
 * Sends one POST request to a URL that a customer gave, which must not lead into our network.
 * The connection goes to the addresses that were checked; the name is not resolved again. Redirects
 * are not followed: the response has their status. Throws PublicAddressError, or the reason of
 * `signal` if that was aborted for another reason than a timeout.
 */
export async function postToPublicAddress(
  url: string,
  request: PublicRequest,
  options: PublicRequestOptions = {},
): Promise<PublicResponse> {
  const { allowLoopback = false, proxyUrl, resolveHost = resolve, ca } = options;
  const { signal } = request;
  const target = checkPublicUrl(url, allowLoopback);
  let connection: Connection | undefined;
  try {
    signal.throwIfAborted();
    const addresses =
      proxyUrl === undefined && isIP(target.host) === 0
        ? await untilAborted(resolveHost(target.host).catch(refuse), signal)
        : [];
    if (proxyUrl === undefined && isIP(target.host) === 0)
      checkAddresses(
        addresses.map(({ address }) => address),
        { isTls: target.isTls, allowLoopback },
      );
    connection = await openConnection({ ...target, addresses, proxyUrl, ca, signal });
    return await send(target.url, request, connection);
  } catch (error) {
    if (!signal.aborted) throw error;
    const { reason }: { reason: unknown } = signal;
    throw reason instanceof DOMException && reason.name === 'TimeoutError'
      ? new PublicAddressError('TIMED_OUT')
      : reason;
  } finally {
    connection?.destroy();
  }
}

const resolve: ResolveHost = (host) => dns.lookup(host, { all: true });
const refuse = () => {
  throw new PublicAddressError('NO_PUBLIC_ADDRESS');
};

/** `dns.lookup` cannot be aborted, so its answer is ignored when it comes too late. */
async function untilAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([pending, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function send(
  url: URL,
  { headers, body, signal, maxResponseBytes }: PublicRequest,
  connection: Connection,
): Promise<PublicResponse> {
  const sent = http.request({
    method: 'POST',
    hostname: url.hostname,
    port: url.port || undefined,
    defaultPort: url.protocol === 'https:' ? 443 : 80,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    createConnection: () => connection,
    signal,
  });
  try {
    const response = await new Promise<IncomingMessage>((onResponse, onError) => {
      sent.once('response', onResponse);
      sent.on('error', onError);
      sent.end(body);
    });
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await readAtMost(response, maxResponseBytes),
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new PublicAddressError(
      code.startsWith('HPE_') ? 'RESPONSE_INVALID' : 'CONNECTION_FAILED',
    );
  }
}

async function readAtMost(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}
