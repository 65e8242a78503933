import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { isLingering } from './lingering-close.ts';

// During this time the server still accepts connections but reports "not ready", so load balancers
// remove it and requests on their way still arrive.
const drainDelayMs = 1_000;
const requestTimeoutMs = 8_000;
const acceptPendingMs = 3_000;
// Browsers and clients open connections in advance. Node does not count these as idle, because they
// have sent no request yet.
const unusedConnectionMs = 500;
// A database that does not answer, for example, must not delay the exit beyond ten seconds in
// total.
const closeTimeoutMs = 800;

type PortSetting = 'PORT' | 'VAULT_PORT' | 'VECTOR_DB_PORT';

type ListenOptions = Pick<Env, 'HOST' | 'PORT'> & {
  /** The setting that `PORT` comes from. */
  portSetting?: PortSetting;
  /**
   * Other processes listen on the same port, and the operating system distributes the connections.
   */
  reusePort?: boolean;
};

/** Starts listening and returns the address. */
export async function listen(
  server: Server,
  { HOST, PORT, portSetting = 'PORT', reusePort = false }: ListenOptions,
): Promise<string> {
  server.listen({ port: PORT, host: HOST, reusePort });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFault(error, { HOST, PORT, portSetting });
  }
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : PORT;
  const host =
    HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host}:${port}`;
}

/** Names the setting that keeps a server from listening, and what to do. */
function listenFault(
  error: unknown,
  { HOST, PORT, portSetting }: Required<Omit<ListenOptions, 'reusePort'>>,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new Error(
        `${portSetting}: another program, perhaps another Atrium, listens on port ${PORT} of ${HOST} (${code}). Stop it, or set ${portSetting} to another port; 0 picks a free one.`,
        { cause: error },
      );
    case 'EACCES':
      return new Error(
        `${portSetting}: this user may not listen on port ${PORT} (${code}). Set ${portSetting} to a port from 1024 on.`,
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `HOST: ${HOST} is no address of this machine (${code}). 127.0.0.1 listens for programs of this machine, 0.0.0.0 for all.`,
        { cause: error },
      );
    default:
      return error;
  }
}

/**
 * Finds a free port, by listening exclusively on that of the setting, which may be 0. With a shared
 * port another Atrium could listen on the same port unnoticed.
 */
export async function findFreePort(options: Omit<ListenOptions, 'reusePort'>): Promise<string> {
  const server = createServer();
  const address = await listen(server, options);
  server.close();
  await once(server, 'close');
  return new URL(address).port;
}

/**
 * A server of this process. On SIGTERM `stop` is called first, then `close`, which waits for
 * running requests, and `closeConnections` if they take too long.
 */
export type ServerPart = {
  stop: () => void;
  close: () => Promise<void>;
  closeConnections: () => void;
};

/**
 * A running part with its addresses. `welcome` is for the person who starts it for the first time;
 * it is printed when everything has started.
 */
export type StartedPart = ServerPart & {
  addresses: Record<string, string>;
  welcome?: string | undefined;
};

/** Wraps one HTTP server and the resources that it uses. */
export function createServerPart(
  server: Server,
  { stop, close }: Pick<ServerPart, 'stop' | 'close'>,
): ServerPart {
  const connected = new Set<Socket>();
  server.on('connection', (socket) => {
    connected.add(socket);
    socket.once('close', () => connected.delete(socket));
  });
  return {
    stop,
    async close() {
      await acceptPending(server);
      server.close();
      const closeUnused = setTimeout(() => {
        for (const socket of connected)
          if (socket.bytesRead === 0 || isLingering(socket)) socket.destroy();
      }, unusedConnectionMs);
      await once(server, 'close');
      clearTimeout(closeUnused);
      await close();
    },
    closeConnections: () => server.closeAllConnections(),
  };
}

// Clients in the kernel's accept queue may already have sent a request, and Node accepts one
// connection per turn of the event loop.
async function acceptPending(server: Server): Promise<void> {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  const endsAt = performance.now() + acceptPendingMs;
  for (let before = -1; accepted > before && performance.now() < endsAt; ) {
    before = accepted;
    await new Promise(setImmediate);
  }
}

/**
 * On SIGTERM, SIGINT or SIGHUP, which a closed terminal sends, running requests get some time to
 * end, then everything is closed. The parts are closed in order, so each part may use those after it
 * until it is closed.
 */
export function stopOnSignal(parts: readonly ServerPart[], log: Log): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const exitTimer = setTimeout(
      () => fail('closing took too long'),
      drainDelayMs + requestTimeoutMs + closeTimeoutMs,
    );
    for (const part of parts) part.stop();
    await wait(drainDelayMs);
    const requestTimer = setTimeout(() => {
      log.warn('closing the connections of requests that did not end in time');
      for (const part of parts) part.closeConnections();
    }, requestTimeoutMs);
    for (const part of parts) await part.close();
    clearTimeout(requestTimer);
    clearTimeout(exitTimer);
    log.info('stopped');
    process.exit(0);
  };
  const fail = (error: unknown) => {
    log.error({ err: error }, 'stopping failed');
    process.exit(1);
  };
  const onSignal = (signal: NodeJS.Signals) => void stop(signal).catch(fail);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}
