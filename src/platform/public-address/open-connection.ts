import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import net, { isIP, type LookupFunction, type Socket } from 'node:net';
import tls from 'node:tls';
import { PublicAddressError, type PublicAddressFailure } from './public-address-error.ts';

export type Connection = Socket;

type ConnectionTarget = {
  host: string;
  port: number;
  isTls: boolean;
  /** The checked addresses of `host`; empty if `host` is an address or a proxy connects. */
  addresses: readonly LookupAddress[];
  proxyUrl: string | undefined;
  ca: string | undefined;
  signal: AbortSignal;
};

/** Opens a connection to one of the addresses, or through the proxy, and verifies the certificate. */
export async function openConnection(target: ConnectionTarget): Promise<Connection> {
  const { host, isTls, proxyUrl, ca, signal } = target;
  const socket =
    proxyUrl === undefined ? await connectDirectly(target) : await connectByProxy(target, proxyUrl);
  if (!isTls) return socket;
  const secured = tls.connect({
    socket,
    host,
    // An address is no server name in TLS; the certificate is then compared with `host`.
    servername: isIP(host) === 0 ? host : '',
    // An explicit value takes precedence over NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  return whenOpen(secured, 'secureConnect', 'TLS_FAILED', signal);
}

function connectDirectly({ host, port, addresses, signal }: ConnectionTarget): Promise<Socket> {
  const lookup: LookupFunction = (_name, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
  return whenOpen(net.connect({ host, port, lookup }), 'connect', 'CONNECTION_FAILED', signal);
}

async function connectByProxy(
  { host, port, signal }: ConnectionTarget,
  proxyUrl: string,
): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const { request } = proxy.protocol === 'https:' ? https : http;
  const sent = request({
    method: 'CONNECT',
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || undefined,
    path: authority,
    headers: {
      host: authority,
      ...(credentials === ':'
        ? {}
        : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
    agent: false,
    signal,
  });
  return new Promise((resolve, reject) => {
    const fail = () => {
      sent.destroy();
      reject(new PublicAddressError('PROXY_FAILED'));
    };
    // Node gives every answer to CONNECT to this listener, refusals included.
    sent.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      fail();
    });
    sent.on('error', fail);
    sent.end();
  });
}

function whenOpen<T extends Socket>(
  socket: T,
  event: 'connect' | 'secureConnect',
  failure: PublicAddressFailure,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      signal.removeEventListener('abort', fail);
      socket.destroy();
      reject(new PublicAddressError(failure));
    };
    signal.addEventListener('abort', fail, { once: true });
    // The listener stays, because an error can come before the request has its own.
    socket.on('error', fail);
    socket.once('close', fail);
    socket.once(event, () => {
      signal.removeEventListener('abort', fail);
      resolve(socket);
    });
    if (signal.aborted) fail();
  });
}
