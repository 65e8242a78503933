import type { RequestListener } from 'node:http';
import { createHttpServer } from '../../src/http/http-server.ts';
import { listen } from '../../src/http/server.ts';
import { recordLog } from './vault.ts';

/** Starts the same HTTP server as the program, on its own port. */
export async function serveHttp(listener: RequestListener) {
  const { lines, log } = recordLog();
  const server = createHttpServer(listener, log);
  const origin = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
  return {
    origin,
    port: Number(new URL(origin).port),
    server,
    lines,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
