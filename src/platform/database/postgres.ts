import type { DatabaseLog } from './database.ts';
import { PooledClient, prepareRlsSession, type Server } from './pooled-client.ts';
import { isPreparedRead, PreparedReads } from './prepared-read.ts';
import { requireSession } from './require-session.ts';
import { ScopedPool } from './scoped-pool.ts';

const connectMs = 9_000;

/** Speaks to a socket: what is read by name takes the short way. */
class WireClient extends PooledClient {
  // `pg` declares a signature for each way of asking; whichever it was passes through.
  override query(...asked: unknown[]): never {
    const [question, , callback] = asked;
    if (!isPreparedRead(question)) return Reflect.apply(super.query, this, asked) as never;
    if (typeof callback === 'function') {
      const [done, failed] = [
        (result: object) => callback(null, result),
        (fault: Error) => callback(fault),
      ];
      return super.query(new PreparedReads([{ question, done, failed }])) as never;
    }
    return new Promise((done, failed) =>
      super.query(new PreparedReads([{ question, done, failed }])),
    ) as never;
  }
}

export function openPostgres({
  databaseUrl,
  log,
}: {
  databaseUrl: string;
  log: DatabaseLog;
}): Server {
  return {
    kind: 'postgres',
    openPool(connectionsMax, answerMs) {
      const pool = new ScopedPool({
        connectionString: databaseUrl,
        fallback_application_name: 'atrium',
        max: connectionsMax,
        connectionTimeoutMillis: connectMs,
        ...(answerMs === undefined ? {} : { query_timeout: answerMs }),
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
