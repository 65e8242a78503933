import { Pool } from 'pg';
import type { DatabaseLog } from './database.ts';
import { PooledClient, prepareSession, type Server } from './pooled-client.ts';

const connectMs = 10_000;

export function openPostgres({ databaseUrl, log }: { databaseUrl: string; log: DatabaseLog }): Server {
  return {
    kind: 'postgres',
    openPool(connectionsMax) {
      const pool = new Pool({
        connectionString: databaseUrl,
        fallback_application_name: 'atrium',
        max: connectionsMax,
        connectionTimeoutMillis: connectMs,
        keepAlive: true,
        Client: PooledClient,
        onConnect: prepareSession,
      });
      pool.on('error', (error) => log.warn({ err: error }, 'lost an idle connection to the database'));
      return pool;
    },
    close: async () => undefined,
  };
}
