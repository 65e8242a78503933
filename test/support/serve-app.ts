import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestApp } from './app.ts';

/** Serves a test application on its own port, for clients over a socket. */
export async function serveApp({ listener }: Pick<TestApp, 'listener'>) {
  const server = createServer({ requestTimeout: 0 }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type ServedApp = Awaited<ReturnType<typeof serveApp>>;
