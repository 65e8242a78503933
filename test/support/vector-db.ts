import { createServer, type Server } from 'node:http';
import { listen } from '../../src/http/server.ts';
import type { Log } from '../../src/platform/log.ts';
import { openVectorDb } from '../../src/vault/vector-db/vector-db.ts';
import { vaultSecret } from './vault.ts';

/** A real vector database on its own port, which it keeps across restarts. */
export async function startVectorDb(
  location: string,
  log: Log,
  options: Pick<
    Parameters<typeof openVectorDb>[0],
    'engine' | 'thresholds' | 'storageOptions' | 'ownershipWaitMs' | 'cacheMb'
  > = {},
) {
  let running: { database: Awaited<ReturnType<typeof openVectorDb>>; server: Server } | undefined;
  let stopped: Promise<void> | undefined;
  const open = async (port: number) => {
    const database = await openVectorDb({
      location,
      secret: vaultSecret,
      log,
      ...options,
    });
    const server = createServer({ requestTimeout: 0 }, database.listener);
    running = { database, server };
    return listen(server, { HOST: '127.0.0.1', PORT: port });
  };
  const url = await open(0);
  return {
    url,
    /** Resolves when all deletions so far have reached the storage. */
    settled: async () => running?.database.settled(),
    /** A second call while it stops waits as well. */
    async stop() {
      if (running) {
        const { database, server } = running;
        running = undefined;
        server.closeAllConnections();
        server.close();
        stopped = database.close();
      }
      await stopped;
    },
    async start() {
      await open(Number(new URL(url).port));
    },
  };
}
