import { createHttpServer } from './http/http-server.ts';
import type { RequestLevel } from './http/request-pipeline.ts';
import { createServerPart, listen, type StartedPart } from './http/server.ts';
import { systemClock } from './platform/clock.ts';
import type { Env } from './platform/env.ts';
import type { Log } from './platform/log.ts';
import type { VaultConfig } from './vault/config.ts';

type VectorDbOptions = {
  env: Env;
  config: VaultConfig;
  log: Log;
  requestLevel?: RequestLevel;
};

/** Starts the vector database on its own port. */
export async function startVectorDb({
  env,
  config: { vectorDb, secret },
  log,
  requestLevel,
}: VectorDbOptions): Promise<StartedPart> {
  const { openVectorDb } = await import('./vault/vector-db/vector-db.ts');
  const database = await openVectorDb({
    ...vectorDb,
    waitsForServer: true,
    secret,
    log,
    requestLevel,
    clock: systemClock,
  });
  const server = createHttpServer(database.listener, log);
  const address = await listen(server, {
    HOST: env.HOST,
    PORT: env.VECTOR_DB_PORT,
    portSetting: 'VECTOR_DB_PORT',
  });
  return {
    ...createServerPart(server, { stop: database.stop, close: database.close }),
    addresses: { vectorDb: address },
  };
}
