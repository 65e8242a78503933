import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from './process.ts';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A key and a self-signed certificate for one host name, valid for a day. */
export function makeCertificate(host: string): { key: string; cert: string } {
  const directory = temporaryDirectory();
  try {
    const [key, cert] = [join(directory.path, 'key.pem'), join(directory.path, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-days', '1', '-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
        ...['-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    directory.remove();
  }
}

export type Receiver = { port: number; connections: () => number; close(): Promise<void> };

/** An HTTP or HTTPS server on a free port that counts its TCP connections. */
export const startReceiver = (
  answer: RequestListener,
  certificate?: { key: string; cert: string },
  host = '127.0.0.1',
): Promise<Receiver> =>
  listen(certificate ? https.createServer(certificate, answer) : http.createServer(answer), host);

/** A forward proxy that connects each `host:port` to the local port that `receivers` names for it. */
export async function startProxy(
  receivers: ReadonlyMap<string, number>,
): Promise<Receiver & { requests: { authority: string; authorization: string | undefined }[] }> {
  const requests: { authority: string; authorization: string | undefined }[] = [];
  const proxy = http.createServer();
  proxy.on('connect', ({ url = '', headers }, client: Socket) => {
    requests.push({ authority: url, authorization: headers['proxy-authorization'] });
    const port = receivers.get(url);
    if (port === undefined) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const server = net.connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    for (const socket of [client, server]) socket.on('error', () => server.destroy());
    client.on('close', () => server.destroy());
  });
  return { ...(await listen(proxy, '127.0.0.1')), requests };
}

async function listen(server: Server, host: string): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
