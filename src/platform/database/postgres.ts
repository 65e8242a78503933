import type { DatabaseLog } from './database-log.ts';
import { type DatabaseServer, PooledClient, prepareRlsSession } from './pooled-client.ts';
import { requireSession } from './require-session.ts';
import { ScopedPool } from './scoped-pool.ts';

const connectMs = 9_000;

export function openPostgres({
  databaseUrl,
  log,
}: {
  databaseUrl: string;
  log: DatabaseLog;
}): DatabaseServer {
  return {
    kind: 'postgres',
    openPool(connectionsMax, queryTimeoutMs) {
      const pool = new ScopedPool({
        connectionString: databaseUrl,
        fallback_application_name: 'atrium',
        max: connectionsMax,
        connectionTimeoutMillis: connectMs,
        ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
        keepAlive: true,
        Client: PooledClient,
        onConnect: prepareRlsSession,
      });
      pool.on('error', (error) =>
        log.warn({ err: error }, 'lost an idle connection to the database'),
      );
      return pool;
    },
    requireSession: () => requireSession(databaseUrl),
    close: async () => undefined,
  };
}
