import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Env } from './env.ts';
import type { Log } from './log.ts';

const stopTimeMs = 9_000;

/** Starts listening and tells the address. */
export async function listen(server: Server, { HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): Promise<string> {
  server.listen(PORT, HOST);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : PORT;
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host}:${port}`;
}

type Stop = { server: Server; log: Log; beforeStop: () => void; afterStop: () => Promise<void> };

/** On SIGTERM or SIGINT: no new connection, what runs may end within the time, then everything is closed. */
export function stopOnSignal({ server, log, beforeStop, afterStop }: Stop): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    beforeStop();
    const late = setTimeout(() => {
      log.warn('some requests did not end in time and are cut off');
      server.closeAllConnections();
    }, stopTimeMs);
    server.close();
    server.closeIdleConnections();
    await once(server, 'close');
    clearTimeout(late);
    await afterStop();
    log.info('stopped');
    process.exit(0);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    stop(signal).catch((error: unknown) => {
      log.error({ err: error }, 'stopping failed');
      process.exit(1);
    });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
