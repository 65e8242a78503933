import { join } from 'node:path';
import { createHttpServer } from './http/http-server.ts';
import type { RequestLevel } from './http/request-pipeline.ts';
import { createServerPart, listen, type StartedPart } from './http/server.ts';
import { systemClock } from './platform/clock.ts';
import type { Env } from './platform/env.ts';
import type { Log } from './platform/log.ts';
import { ownFilesDirectory } from './platform/own-files-directory.ts';
import type { VaultConfig } from './vault/config.ts';
import { openLogFiles } from './vault/log-files.ts';

type VaultOptions = {
  env: Env;
  config: VaultConfig;
  log: Log;
  requestLevel?: RequestLevel;
  vectorDbUrl: string;
};

/** Starts the vault on its own port. */
export async function startVault({
  env,
  config,
  log,
  requestLevel,
  vectorDbUrl,
}: VaultOptions): Promise<StartedPart> {
  const directory = ownFilesDirectory(env);
  const files = config.logging.logToFile
    ? await openLogFiles({ directory: join(directory, 'logs'), settings: env, log })
    : undefined;
  const { createVault } = await import('./vault/vault.ts');
  const vault = await createVault({
    config,
    vectorDbUrl,
    dataDirectory: directory,
    log,
    // A log file of requests has a line for each of them.
    ...(files ?? { requestLevel }),
    clock: systemClock,
  });
  const server = createHttpServer(vault.listener, files?.webLog ?? log);
  const address = await listen(server, {
    HOST: env.HOST,
    PORT: env.VAULT_PORT,
    portSetting: 'VAULT_PORT',
  });
  const close = async () => {
    await vault.close();
    await files?.close();
  };
  return {
    ...createServerPart(server, { stop: vault.stop, close }),
    addresses: { vault: address },
  };
}
