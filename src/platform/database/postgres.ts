import type { DatabaseLog } from './database-log.ts';
import { type DatabaseServer, PooledClient, prepareRlsSession } from './pooled-client.ts';
import { isPreparedRead, PreparedReads } from './prepared-read.ts';
import { requireSession } from './require-session.ts';
import { ScopedPool } from './scoped-pool.ts';

const connectMs = 9_000;

/** A client over a socket: named prepared reads are sent by PreparedReads. */
class WireClient extends PooledClient {
  // `pg` declares an overload for each form of call; all of them are passed through.
  override query(...callArguments: unknown[]): never {
    const [query, , callback] = callArguments;
    if (!isPreparedRead(query)) return Reflect.apply(super.query, this, callArguments) as never;
    if (typeof callback === 'function') {
      const [done, failed] = [
        (result: object) => callback(null, result),
        (fault: Error) => callback(fault),
      ];
      return super.query(new PreparedReads([{ query, done, failed }])) as never;
    }
    return new Promise((done, failed) =>
      super.query(new PreparedReads([{ query, done, failed }])),
    ) as never;
  }
}

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
        Client: WireClient,
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
