import { parentPort, workerData } from 'node:worker_threads';
import type { StartedPart } from './http/server.ts';
import { cacheCompiledCode } from './platform/compile-cache.ts';
import { environment, readEnv } from './platform/env.ts';
import { createLog } from './platform/log.ts';
import { startTelemetry } from './platform/telemetry/start-telemetry.ts';
import { lowerThreadPriority } from './platform/thread-priority.ts';
import type { ThreadOptions } from './start-in-thread.ts';
import { startVault } from './start-vault.ts';
import { startVectorDb } from './start-vector-db.ts';
import { readVaultConfig } from './vault/config.ts';

// Runs the vault or the vector database on its own event loop. Only start-in-thread.ts starts this
// file.

const options: ThreadOptions = workerData;
lowerThreadPriority('part');
const env = readEnv();
cacheCompiledCode(env);
const log = createLog(env);
const telemetry = await startTelemetry(env, options.part, log);
const config = readVaultConfig({ env, variables: environment, secret: options.secret });
// Here nearly all requests come from this program itself.
const settings = { env, config, log, requestLevel: 'debug' } as const;
const started: StartedPart =
  options.part === 'vault'
    ? await startVault({ ...settings, vectorDbUrl: options.vectorDbUrl })
    : await startVectorDb(settings);

const parts = telemetry ? [started, telemetry] : [started];

async function close(): Promise<void> {
  for (const part of parts) await part.close();
  // A collector that does not answer would keep the thread for as long as it is waited for.
  if (telemetry) process.exit();
  parentPort?.close();
}

parentPort?.on('message', (order: 'stop' | 'close' | 'closeConnections') => {
  if (order === 'stop') for (const part of parts) part.stop();
  if (order === 'closeConnections') started.closeConnections();
  if (order === 'close') void close();
});
parentPort?.postMessage({ addresses: started.addresses });
