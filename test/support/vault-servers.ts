import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { listen } from '../../src/http/server.ts';
import { createVaultClient } from '../../src/vault/client.ts';
import { createVault } from '../../src/vault/vault.ts';
import { temporaryDirectory } from './process.ts';
import { bearer, configFrom, recordLog, vaultSecret } from './vault.ts';
import { startVectorDb } from './vector-db.ts';

type VaultRequest = { headers?: Record<string, string>; body?: string | Uint8Array };
export type VaultPassage = {
  document: string;
  ordinal: number;
  text: string;
  page: number | null;
  headings: string[];
  start: number;
  end: number;
};
export type VaultServers = Awaited<ReturnType<typeof startVaultServers>>;

/** A real vault with a real vector database, each on its own port in this process. */
export async function startVaultServers({
  yaml = '',
  documentBytesMax,
}: {
  yaml?: string;
  documentBytesMax?: number;
} = {}) {
  const directory = temporaryDirectory();
  const { lines, log } = recordLog();
  const vectorDb = await startVectorDb(join(directory.path, 'vectors'), log);
  const vault = await createVault({
    config: configFrom(yaml),
    vectorDbUrl: vectorDb.url,
    dataDirectory: directory.path,
    log,
    clock: () => new Date(),
    ...(documentBytesMax === undefined ? {} : { documentBytesMax }),
  });
  const server = createServer({ requestTimeout: 0 }, vault.listener);
  const url = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
  const client = createVaultClient({ url, secret: vaultSecret });

  const call = async (method: string, path: string, { headers = {}, body }: VaultRequest = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...bearer(vaultSecret), ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    };
  };

  return {
    url,
    client,
    vectorDb,
    lines,
    call,
    put: (
      collection: string,
      document: string,
      body: string | Uint8Array,
      headers: Record<string, string> = {},
    ) => call('PUT', `/v1/collections/${collection}/documents/${document}`, { headers, body }),
    /** The passages that contain these words, as found by the vector database. */
    async find(collection: string, text: string): Promise<VaultPassage[]> {
      const response = await fetch(`${vectorDb.url}/v1/collections/${collection}/search`, {
        method: 'POST',
        headers: { ...bearer(vaultSecret), 'content-type': 'application/json' },
        body: JSON.stringify({ text, limit: 50 }),
      });
      return response.status === 404 ? [] : JSON.parse(await response.text()).keyword;
    },
    /** A raw connection, which the test can close at any point. */
    async connection() {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
      return socket;
    },
    /** The files in the work directory. */
    workFiles: () => {
      const path = join(directory.path, 'vault-work');
      return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? readdirSync(join(path, entry.name)) : [],
      );
    },
    async close() {
      client.close();
      vault.stop();
      server.closeAllConnections();
      server.close();
      await vault.close();
      await vectorDb.stop();
      directory.remove();
    },
  };
}
