import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVaultClient, type VaultClient } from '../../src/vault/client.ts';
import { createVectorDbClient, type VectorDbClient } from '../../src/vault/vector-db/client.ts';
import { atriumScript, type Server, startProcess } from './servers.ts';

export const benchSecret = 'the-secret-of-the-bench';
/** The default monitoring, and a rate limit that is never reached. */
const vaultSettings = 'rate_limit: { requests_per_minute: 1000000 }\n';

export type VaultServers = {
  vault: Server;
  /** The vector database that is running now. */
  vectorDb(): Server;
  client: VaultClient;
  vectorDbClient: VectorDbClient;
  /** The directory of both. */
  directory: string;
  /** Stops the vector database and starts it again at the same address. */
  restartVectorDb(): Promise<void>;
};

/** Resident memory; there is a figure only on Linux. */
export async function residentBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** Runs the vault and its vector database as two processes on a temporary directory. */
export async function withVault<T>(callback: (servers: VaultServers) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const runningServers: Server[] = [];
  try {
    const file = join(directory, 'vault.yaml');
    await writeFile(file, vaultSettings);
    const env = { DATA_DIR: directory, VAULT_CONFIG: file, VAULT_SECRET: benchSecret };
    const startVectorDb = async (port?: number) => {
      const portOptions = {
        portSetting: 'VECTOR_DB_PORT',
        readyPath: '/v1/.well-known/ready',
        ...(port === undefined ? {} : { port }),
      };
      const server = await startProcess({
        script: atriumScript,
        args: ['vector-db'],
        env,
        ...portOptions,
      });
      runningServers.push(server);
      return server;
    };
    let vectorDb = await startVectorDb();
    const vaultEnv = { ...env, VECTOR_DB_URL: vectorDb.origin };
    const vault = await startProcess({
      script: atriumScript,
      args: ['vault'],
      env: vaultEnv,
      portSetting: 'VAULT_PORT',
      readyPath: '/health',
    });
    runningServers.unshift(vault);
    const client = createVaultClient({ url: vault.origin, secret: benchSecret });
    const vectorDbClient = createVectorDbClient({ url: vectorDb.origin, secret: benchSecret });
    const restartVectorDb = async () => {
      await runningServers.pop()?.stop();
      vectorDb = await startVectorDb(Number(new URL(vectorDb.origin).port));
    };
    return await callback({
      vault,
      vectorDb: () => vectorDb,
      client,
      vectorDbClient,
      directory,
      restartVectorDb,
    });
  } finally {
    for (const server of runningServers) await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
