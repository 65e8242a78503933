import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVaultClient, type VaultClient } from '../../src/vault/client.ts';
import { createVectorDbClient, type VectorDbClient } from '../../src/vault/vector-db/client.ts';
import { ours, type Server, startProcess } from './servers.ts';

export const benchSecret = 'the-secret-of-the-bench';
/** Monitoring as it usually is; the limit of calls out of the way. */
const settings = 'rate_limit: { requests_per_minute: 1000000 }\n';

export type VaultParts = {
  vault: Server;
  /** The one that runs at the time. */
  vectorDb(): Server;
  client: VaultClient;
  vectorDbClient: VectorDbClient;
  /** Stops the vector database and starts it again at its address. */
  restartVectorDb(): Promise<void>;
};

/**
 * The vault and its vector database as they run beside each other: two processes, on a disk that is
 * gone afterwards.
 */
export async function withVault<T>(use: (parts: VaultParts) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const running: Server[] = [];
  try {
    const file = join(directory, 'vault.yaml');
    await writeFile(file, settings);
    const env = { DATA_DIR: directory, VAULT_CONFIG: file, VAULT_SECRET: benchSecret };
    const startVectorDb = async (port?: number) => {
      const at = {
        portSetting: 'VECTOR_DB_PORT',
        readyPath: '/v1/.well-known/ready',
        ...(port === undefined ? {} : { port }),
      };
      const server = await startProcess({ script: ours, args: ['vector-db'], env, ...at });
      running.push(server);
      return server;
    };
    let vectorDb = await startVectorDb();
    const vaultEnv = { ...env, VECTOR_DB_URL: vectorDb.origin };
    const vault = await startProcess({
      script: ours,
      args: ['vault'],
      env: vaultEnv,
      portSetting: 'VAULT_PORT',
      readyPath: '/health',
    });
    running.unshift(vault);
    const client = createVaultClient({ url: vault.origin, secret: benchSecret });
    const vectorDbClient = createVectorDbClient({ url: vectorDb.origin, secret: benchSecret });
    const restartVectorDb = async () => {
      await running.pop()?.stop();
      vectorDb = await startVectorDb(Number(new URL(vectorDb.origin).port));
    };
    return await use({ vault, vectorDb: () => vectorDb, client, vectorDbClient, restartVectorDb });
  } finally {
    for (const server of running) await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
