import { stopOnSignal } from './http/server.ts';
import { cacheCompiledCode } from './platform/compile-cache.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { messageOf } from './platform/error-message.ts';
import { createLog } from './platform/log.ts';
import { prepareProgram } from './platform/prepare-program.ts';
import { startTelemetry } from './platform/telemetry/start-telemetry.ts';
import { startApi } from './start-api.ts';
import { createVaultClient } from './vault/client.ts';

/**
 * One of several API processes behind one port, started by workers.ts: `worker.ts <number>
 * [handles-first-start]`.
 */
async function main(number: number, handlesFirstStart: boolean): Promise<void> {
  const env = prepareProgram();
  cacheCompiledCode(env);
  const log = createLog(env).child({ worker: number });
  const telemetry = await startTelemetry(env, 'api', log);
  const { DATABASE_URL, DATA_DIR, DATABASE_POOL, VAULT_URL, VAULT_SECRET } = env;
  const database = await openDatabase({
    databaseUrl: DATABASE_URL,
    dataDir: DATA_DIR,
    poolSize: DATABASE_POOL,
    waitsForServer: true,
    log,
  });
  const vault =
    VAULT_URL !== undefined && VAULT_SECRET !== undefined
      ? createVaultClient({ url: VAULT_URL, secret: VAULT_SECRET })
      : undefined;
  const part = await startApi({ env, database, vault, log, worker: number, handlesFirstStart });
  stopOnSignal(telemetry ? [part, telemetry] : [part], log);
  process.send?.({ addresses: part.addresses, welcome: part.welcome });
}

const [, , number, handlesFirstStart] = process.argv;

main(Number(number), handlesFirstStart === 'handles-first-start').catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
