import { createApp } from './app.ts';
import { prepareFirstStart } from './first-start.ts';
import { systemClock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import type { Env } from './platform/env.ts';
import { createHttpServer } from './platform/http-server.ts';
import type { Log } from './platform/log.ts';
import { listen, type Started, servedPart } from './platform/server.ts';
import type { VaultClient } from './vault/client.ts';

type ApiParts = {
  env: Env;
  database: Database;
  vault: VaultClient | undefined;
  log: Log;
  /** The number of this process where several share the port. */
  worker?: number;
  /** Whether whoever finds an empty database is welcomed by this process. */
  welcomes?: boolean;
};

/** The API as a part of this process. */
export async function startApi({
  env,
  database,
  vault,
  log,
  worker,
  welcomes = true,
}: ApiParts): Promise<Started> {
  const app = await createApp({
    env,
    database,
    log,
    clock: systemClock,
    ...(vault && { vault }),
    ...(worker !== undefined && { worker }),
  });
  const server = createHttpServer(app.listener, log);
  // Elsewhere Node hands connections from one process to the other, and waits each time until it is
  // taken.
  const address = await listen(server, {
    ...env,
    reusePort: worker !== undefined && process.platform === 'linux',
  });
  app.listensAt(address);
  if (vault) app.startProcessing();
  const origin = env.ORIGIN ?? address;
  if (welcomes)
    await prepareFirstStart({
      env,
      database,
      clock: systemClock,
      files: app.services.files,
      origin,
    });
  if (welcomes) warnOfPlainHttp(origin, env, log);
  await tellRowLevelSecurity(database, env, log);
  const close = async () => {
    await app.close();
    await database.close();
  };
  return { ...servedPart(server, { stop: app.stop, close }), addresses: { api: address, origin } };
}

function warnOfPlainHttp(origin: string, { NODE_ENV }: Env, log: Log): void {
  if (NODE_ENV !== 'production' || origin.startsWith('https:')) return;
  log.warn(
    { origin },
    'ORIGIN is not an https address: others on the way can read passwords, keys and session cookies. Set ORIGIN to the https address of the proxy in front',
  );
}

/**
 * Says whether the database itself keeps organizations apart, besides the conditions of each
 * statement.
 */
async function tellRowLevelSecurity(
  database: Database,
  { NODE_ENV }: Env,
  log: Log,
): Promise<void> {
  await database.ping();
  const rowLevelSecurity = database.hasRowLevelSecurity() ? 'active' : 'inactive';
  log.info({ database: database.kind, rowLevelSecurity }, 'the database is open');
  if (database.kind === 'postgres' && rowLevelSecurity === 'inactive' && NODE_ENV === 'production')
    log.warn(
      'Row-level security has no effect: the role of DATABASE_URL is a superuser or has BYPASSRLS. Use a role without either.',
    );
}
