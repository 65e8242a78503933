import { createServer } from 'node:http';
import { createApp } from './app.ts';
import { systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/database/database.ts';
import { readEnv } from './platform/env.ts';
import { createLog } from './platform/log.ts';
import { listen, stopOnSignal } from './platform/server.ts';
import { welcome } from './welcome.ts';

/** `npm start`: opens the database, listens, says so, and stops in good order. */
async function main(): Promise<void> {
  const env = readEnv();
  const log = createLog(env);
  const database = await openDatabase({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, poolSize: env.DATABASE_POOL, log });
  const app = await createApp({ env, database, log, clock: systemClock });
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 10_000 }, app.listener);
  const address = await listen(server, env);
  app.listensAt(address);
  const origin = env.ORIGIN ?? address;
  await welcome({ env, database, clock: systemClock, origin });
  log.info({ ready: true, addresses: { api: address, origin }, database: database.kind }, 'ready');
  stopOnSignal({
    server,
    log,
    beforeStop: app.stop,
    afterStop: async () => {
      await app.close();
      await database.close();
    },
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
