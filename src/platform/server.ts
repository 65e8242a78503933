import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Env } from './env.ts';
import { isLingering } from './lingering-close.ts';
import type { Log } from './log.ts';

// While the server still listens but calls itself not ready: balancers turn away, and requests that
// are on their way arrive.
const leavingMs = 1_000;
const stopTimeMs = 8_000;
const letInMs = 3_000;
// Browsers and clients hold connections in stock, which Node does not count among the idle: they
// have asked for nothing yet.
const silentMs = 500;
// What hangs even then, such as a database that answers nothing, must not keep the process beyond
// its ten seconds.
const closeTimeMs = 800;

type Listening = Pick<Env, 'HOST' | 'PORT'> & {
  /** Other processes listen on this port as well, and the system shares out who comes. */
  reusePort?: boolean;
};

/** Starts listening and tells the address. */
export async function listen(
  server: Server,
  { HOST, PORT, reusePort = false }: Listening,
): Promise<string> {
  server.listen({ port: PORT, host: HOST, reusePort });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : PORT;
  const host =
    HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host}:${port}`;
}

/**
 * What this process serves: on SIGTERM told to stop, then closed once nothing runs in it, and at
 * last cut off.
 */
export type Part = { stop: () => void; close: () => Promise<void>; cutOff: () => void };

/** A part that runs, and where. */
export type Started = Part & { addresses: Record<string, string> };

/** A part that is one server of this process, and what it has open besides. */
export function servedPart(server: Server, { stop, close }: Pick<Part, 'stop' | 'close'>): Part {
  const connected = new Set<Socket>();
  server.on('connection', (socket) => {
    connected.add(socket);
    socket.once('close', () => connected.delete(socket));
  });
  return {
    stop,
    async close() {
      await letIn(server);
      server.close();
      const impatient = setTimeout(() => {
        for (const socket of connected)
          if (socket.bytesRead === 0 || isLingering(socket)) socket.destroy();
      }, silentMs);
      await once(server, 'close');
      clearTimeout(impatient);
      await close();
    },
    cutOff: () => server.closeAllConnections(),
  };
}

// Whom the system has connected may have sent a request already, and Node takes one connection in
// each turn of the loop.
async function letIn(server: Server): Promise<void> {
  let taken = 0;
  server.on('connection', () => {
    taken += 1;
  });
  const endsAt = performance.now() + letInMs;
  for (let before = -1; taken > before && performance.now() < endsAt; ) {
    before = taken;
    await new Promise(setImmediate);
  }
}

/**
 * On SIGTERM or SIGINT: what runs may end within the time, then everything is closed. Each part may
 * need those after it until it is closed.
 */
export function stopOnSignal(parts: readonly Part[], log: Log): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const late = setTimeout(
      () => fail('closing took too long'),
      leavingMs + stopTimeMs + closeTimeMs,
    );
    for (const part of parts) part.stop();
    await wait(leavingMs);
    const cut = setTimeout(() => {
      log.warn('some requests did not end in time and are cut off');
      for (const part of parts) part.cutOff();
    }, stopTimeMs);
    for (const part of parts) await part.close();
    clearTimeout(cut);
    clearTimeout(late);
    log.info('stopped');
    process.exit(0);
  };
  const fail = (error: unknown) => {
    log.error({ err: error }, 'stopping failed');
    process.exit(1);
  };
  const onSignal = (signal: NodeJS.Signals) => void stop(signal).catch(fail);
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
