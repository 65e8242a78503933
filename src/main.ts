import { enableCompileCache } from 'node:module';
import { checkEmailVerification } from './modules/accounts/check-email-verification.ts';
import { findDefaultModel } from './modules/runs/models/find-default-model.ts';
import type { Database } from './platform/database/database.ts';
import { type Env, environment } from './platform/env.ts';
import { createLog, type Log } from './platform/log.ts';
import { prepareProgram } from './platform/prepare-program.ts';
import { type Started, stopOnSignal } from './platform/server.ts';
import { startInThread } from './start-in-thread.ts';
import { startVault } from './start-vault.ts';
import { startVectorDb } from './start-vector-db.ts';
import { createVaultClient, type VaultClient } from './vault/client.ts';
import { readVaultConfig } from './vault/config.ts';
import { readOrCreateVaultSecret } from './vault/secret.ts';

const modes = ['api', 'vault', 'vector-db'];

/**
 * `npm start`, with one part's name that part alone: opens what it needs, listens, says so, and
 * stops in good order.
 */
async function main(mode: string | undefined): Promise<void> {
  if (mode !== undefined && !modes.includes(mode))
    throw new Error(
      `There is no part called ${mode}. Name one of ${modes.join(', ')}, or none to run them all in one process.`,
    );
  // What Node made of our sources last time: halves the time until the parts below are loaded.
  // Where nothing can be kept, it does without.
  enableCompileCache();
  const given = prepareProgram();
  const log = createLog(given);
  const startsApi = mode === 'api' || mode === undefined;
  // Once for all workers, so that one that is replaced starts while the provider is away.
  const env = startsApi
    ? { ...given, MODEL_DEFAULT: await findDefaultModel(given, { log }) }
    : given;
  const secret = vaultSecret(mode, env);
  if (startsApi) checkEmailVerification(env, log);
  const startsVault = mode === 'vault' || (mode === undefined && env.VAULT_URL === undefined);
  const startsVectorDb =
    mode === 'vector-db' || (mode === undefined && startsVault && env.VECTOR_DB_URL === undefined);
  const config =
    startsVault || startsVectorDb
      ? readVaultConfig({ env, variables: environment, secret })
      : undefined;
  if (env.VAULT_URL !== undefined && secret === undefined)
    throw new Error('VAULT_SECRET must be set where VAULT_URL is: the secret of that vault');
  const startsWorkers = startsApi && env.WORKERS > 1;
  // Before the rest: it refuses a directory that another process holds, and nothing in it is
  // touched.
  const database = startsApi && !startsWorkers ? await openApiDatabase(env, log) : undefined;
  const parts: Started[] = [];
  const addressOf = (part: string) =>
    parts.find(({ addresses }) => part in addresses)?.addresses[part];
  // Beside an API each has an event loop of its own.
  if (config && startsVectorDb)
    parts.unshift(
      await (startsApi
        ? startInThread({ part: 'vector-db', secret: config.secret })
        : startVectorDb({ env, config, log })),
    );
  const vectorDbUrl =
    addressOf('vectorDb') ?? env.VECTOR_DB_URL ?? `http://127.0.0.1:${env.VECTOR_DB_PORT}`;
  if (config && startsVault)
    parts.unshift(
      await (startsApi
        ? startInThread({ part: 'vault', secret: config.secret, vectorDbUrl })
        : startVault({ env, config, log, vectorDbUrl })),
    );
  const vaultUrl = addressOf('vault') ?? env.VAULT_URL;
  // An API alone that is told of no vault has none.
  const vault =
    vaultUrl !== undefined && secret !== undefined ? { url: vaultUrl, secret } : undefined;
  if (database)
    parts.unshift(await startApi(env, database, vault && createVaultClient(vault), log));
  if (startsWorkers) parts.unshift(await startWorkers(env, vault, log));
  log.info(
    { ready: true, addresses: Object.assign({}, ...parts.map(({ addresses }) => addresses)) },
    'ready',
  );
  stopOnSignal(parts, log);
}

// Each part loads its own code only: a vault needs neither the graph nor a database of ours.
async function openApiDatabase(
  { DATABASE_URL, DATA_DIR, DATABASE_POOL }: Env,
  log: Log,
): Promise<Database> {
  const { openDatabase } = await import('./platform/database/database.ts');
  return openDatabase({
    databaseUrl: DATABASE_URL,
    dataDir: DATA_DIR,
    poolSize: DATABASE_POOL,
    waitsForServer: true,
    log,
  });
}

async function startApi(
  env: Env,
  database: Database,
  vault: VaultClient | undefined,
  log: Log,
): Promise<Started> {
  const api = await import('./start-api.ts');
  return api.startApi({ env, database, vault, log });
}

async function startWorkers(
  env: Env,
  vault: { url: string; secret: string } | undefined,
  log: Log,
): Promise<Started> {
  const workers = await import('./workers.ts');
  return workers.startWorkers({ env, vault, log });
}

// Only where every part is in this one process can it make up what they show each other.
const vaultSecret = (mode: string | undefined, env: Env) =>
  mode === undefined && !env.VAULT_URL && !env.VECTOR_DB_URL
    ? readOrCreateVaultSecret(env)
    : env.VAULT_SECRET;

main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
