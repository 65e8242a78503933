import type { RequestListener } from 'node:http';
import { createHttpServer } from '../../src/platform/http-server.ts';
import { listen } from '../../src/platform/server.ts';
import { linesOfLog } from './vault.ts';

/** The server that the program itself starts, on a port of its own. */
export async function serving(listener: RequestListener) {
  const { lines, log } = linesOfLog();
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
