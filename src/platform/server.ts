import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Env } from './env.ts';
import type { Log } from './log.ts';

// While the server still listens but calls itself not ready: balancers turn away, and requests that are on their way arrive.
const leavingMs = 1_000;
const stopTimeMs = 8_000;

/** Starts listening and tells the address. */
export async function listen(server: Server, { HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): Promise<string> {
  server.listen(PORT, HOST);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : PORT;
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host}:${port}`;
}

/** One server of this process, and what it has open besides. */
export type Part = { server: Server; stop: () => void; close: () => Promise<void> };

/** On SIGTERM or SIGINT: what runs may end within the time, then everything is closed. Each part may need those after it until it is closed. */
export function stopOnSignal(parts: readonly Part[], log: Log): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    for (const part of parts) part.stop();
    await wait(leavingMs);
    const late = setTimeout(() => {
      log.warn('some requests did not end in time and are cut off');
      for (const { server } of parts) server.closeAllConnections();
    }, stopTimeMs);
    for (const { server, close } of parts) {
      server.close();
      await once(server, 'close');
      await close();
    }
    clearTimeout(late);
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
