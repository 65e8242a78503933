import { createApp } from './app.ts';
import { prepareFirstStart } from './first-start.ts';
import { createHttpServer } from './http/http-server.ts';
import { createServerPart, listen, type StartedPart } from './http/server.ts';
import { systemClock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { warnOfEncoding } from './platform/database/encoding.ts';
import type { Env } from './platform/env.ts';
import type { Log } from './platform/log.ts';
import { lowerV8Priority } from './platform/thread-priority.ts';
import type { VaultClient } from './vault/client.ts';

type ApiOptions = {
  env: Env;
  database: Database;
  vault: VaultClient | undefined;
  log: Log;
  /** The number of this worker, if several processes share the port. */
  worker?: number;
  /** Whether this process creates the demo data or the setup link on an empty database. */
  handlesFirstStart?: boolean;
};

/** Starts the API in this process. */
export async function startApi({
  env,
  database,
  vault,
  log,
  worker,
  handlesFirstStart = true,
}: ApiOptions): Promise<StartedPart> {
  lowerV8Priority();
  const app = await createApp({
    env,
    database,
    log,
    clock: systemClock,
    ...(vault && { vault }),
    ...(worker !== undefined && { worker }),
  });
  const server = createHttpServer(app.listener, log);
  // On other systems the primary process would pass each connection to a worker and wait until it
  // is accepted.
  const address = await listen(server, {
    ...env,
    reusePort: worker !== undefined && process.platform === 'linux',
  });
  app.listensAt(address);
  app.startProcessing({ processesFiles: vault !== undefined });
  const origin = env.ORIGIN ?? address;
  const welcome = handlesFirstStart
    ? await prepareFirstStart({
        env,
        database,
        clock: systemClock,
        files: app.services.files,
        origin,
        log,
      })
    : undefined;
  if (handlesFirstStart) {
    warnOfPlainHttp(origin, env, log);
    await warnOfEncoding(database, log);
  }
  await logRowLevelSecurity(database, env, log);
  const close = async () => {
    await app.close();
    await database.close();
  };
  return {
    ...createServerPart(server, { stop: app.stop, close }),
    addresses: { api: address, origin },
    welcome,
  };
}

function warnOfPlainHttp(origin: string, { NODE_ENV }: Env, log: Log): void {
  if (NODE_ENV !== 'production' || origin.startsWith('https:')) return;
  log.warn(
    { origin },
    'ORIGIN is not an https address: others on the way can read passwords, keys and session cookies. Set ORIGIN to the https address of the proxy in front',
  );
}

/**
 * Logs whether row-level security separates organizations in addition to the conditions of each
 * statement.
 */
async function logRowLevelSecurity(database: Database, { NODE_ENV }: Env, log: Log): Promise<void> {
  await database.ping();
  const rowLevelSecurity = database.hasRowLevelSecurity() ? 'active' : 'inactive';
  log.info({ database: database.kind, rowLevelSecurity }, 'the database is open');
  if (database.kind === 'postgres' && rowLevelSecurity === 'inactive' && NODE_ENV === 'production')
    log.warn(
      'Row-level security has no effect: the role of DATABASE_URL is a superuser or has BYPASSRLS. Use a role without either.',
    );
}
