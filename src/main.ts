import { findFreePort, type StartedPart, stopOnSignal } from './http/server.ts';
import { checkEmailVerification } from './modules/accounts/sign-up/check-email-verification.ts';
import { findDefaultModel } from './modules/runs/models/find-default-model.ts';
import { cacheCompiledCode } from './platform/compile-cache.ts';
import type { Database } from './platform/database/database.ts';
import { type Env, environment, misspelledVariables } from './platform/env.ts';
import { messageOf } from './platform/error-message.ts';
import { createLog, type Log } from './platform/log.ts';
import { prepareProgram } from './platform/prepare-program.ts';
import { startTelemetry } from './platform/telemetry/start-telemetry.ts';
import { startInThread } from './start-in-thread.ts';
import { startVault } from './start-vault.ts';
import { startVectorDb } from './start-vector-db.ts';
import { createVaultClient } from './vault/client.ts';
import { readVaultConfig } from './vault/config.ts';
import { readOrCreateVaultSecret } from './vault/secret.ts';

const partNames = ['api', 'vault', 'vector-db'];

/**
 * `npm start` runs all parts; with the name of a part it runs only that part. Opens the resources,
 * listens, logs the addresses, and stops in order on a signal.
 */
async function main(partName: string | undefined): Promise<void> {
  if (partName !== undefined && !partNames.includes(partName))
    throw new Error(
      `There is no part called ${partName}. Name one of ${partNames.join(', ')}, or none to run them all in one process.`,
    );
  const settings = prepareProgram();
  cacheCompiledCode(settings);
  const log = createLog(settings);
  for (const { name, meant } of misspelledVariables())
    log.warn(`The environment variable ${name} has no meaning to Atrium. Is ${meant} meant?`);
  const startsApi = partName === 'api' || partName === undefined;
  // Determined once for all workers, so that a replaced worker can start while the provider cannot
  // be reached.
  const env = startsApi
    ? { ...settings, MODEL_DEFAULT: await findDefaultModel(settings, { log }) }
    : settings;
  const secret = vaultSecret(partName, env);
  if (startsApi) checkEmailVerification(env, log);
  const startsVault =
    partName === 'vault' || (partName === undefined && env.VAULT_URL === undefined);
  const startsVectorDb =
    partName === 'vector-db' ||
    (partName === undefined && startsVault && env.VECTOR_DB_URL === undefined);
  const config =
    startsVault || startsVectorDb
      ? readVaultConfig({ env, variables: environment, secret })
      : undefined;
  if (env.VAULT_URL !== undefined && secret === undefined)
    throw new Error('VAULT_SECRET must be set where VAULT_URL is: the secret of that vault');
  const startsWorkers = startsApi && env.WORKERS > 1;
  // The process above workers handles no request.
  const telemetry = startsWorkers ? undefined : await startTelemetry(env, partName ?? 'api', log);
  // Before the database, whose first migration takes some seconds.
  for (const portSetting of [
    ...(startsApi ? (['PORT'] as const) : []),
    ...(startsVault ? (['VAULT_PORT'] as const) : []),
    ...(startsVectorDb ? (['VECTOR_DB_PORT'] as const) : []),
  ])
    await findFreePort({ HOST: env.HOST, PORT: env[portSetting], portSetting });
  // Opened first: a directory that another process has locked is rejected before anything in it is
  // changed.
  const database = startsApi && !startsWorkers ? await openApiDatabase(env, log) : undefined;
  // Loaded while the threads start.
  const apiModule = database && import('./start-api.ts');
  const parts: StartedPart[] = [];
  const addressOf = (part: string) =>
    parts.find(({ addresses }) => part in addresses)?.addresses[part];
  // Next to an API each of them runs in its own thread.
  if (config && startsVectorDb)
    parts.unshift(
      await (startsApi
        ? startInThread({ part: 'vector-db', secret: config.secret })
        : startVectorDb({ env, config, log })),
    );
  const vectorDbUrl =
    addressOf('vectorDb') ??
    env.VECTOR_DB_URL ??
    `http://${env.HOST === '::1' ? '[::1]' : '127.0.0.1'}:${env.VECTOR_DB_PORT}`;
  if (config && startsVault)
    parts.unshift(
      await (startsApi
        ? startInThread({ part: 'vault', secret: config.secret, vectorDbUrl })
        : startVault({ env, config, log, vectorDbUrl })),
    );
  const vaultUrl = addressOf('vault') ?? env.VAULT_URL;
  // An API without VAULT_URL that runs alone has no vault.
  const vault =
    vaultUrl !== undefined && secret !== undefined ? { url: vaultUrl, secret } : undefined;
  if (database && apiModule) {
    const { startApi } = await apiModule;
    const vaultClient = vault && createVaultClient(vault);
    parts.unshift(await startApi({ env, database, vault: vaultClient, log }));
  }
  if (startsWorkers) parts.unshift(await startWorkers(env, vault, log));
  const addresses = Object.assign({}, ...parts.map((part) => part.addresses));
  const welcome = parts.find((part) => part.welcome)?.welcome;
  stopOnSignal(telemetry ? [...parts, telemetry] : parts, log);
  log.info({ ready: true, addresses, ...(welcome && { firstStart: true }) }, 'ready');
  if (welcome) process.stdout.write(welcome);
}

// Each part loads only its own code: a vault needs neither the GraphQL schema nor the database.
async function openApiDatabase(
  { DATABASE_URL, DATA_DIR, DATABASE_POOL }: Env,
  log: Log,
): Promise<Database> {
  const { openDatabase } = await import('./platform/database/open-database.ts');
  return openDatabase({
    databaseUrl: DATABASE_URL,
    dataDir: DATA_DIR,
    poolSize: DATABASE_POOL,
    waitsForServer: true,
    log,
  });
}

async function startWorkers(
  env: Env,
  vault: { url: string; secret: string } | undefined,
  log: Log,
): Promise<StartedPart> {
  const workers = await import('./workers.ts');
  return workers.startWorkers({ env, vault, log });
}

// The secret can be generated only if all parts run in this process.
const vaultSecret = (partName: string | undefined, env: Env) =>
  partName === undefined && !env.VAULT_URL && !env.VECTOR_DB_URL
    ? readOrCreateVaultSecret(env)
    : env.VAULT_SECRET;

main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
