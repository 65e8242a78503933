import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLog } from '../../src/platform/log.ts';
import { readVaultConfig } from '../../src/vault/config.ts';
import { createVault } from '../../src/vault/vault.ts';
import { temporaryDirectory } from './process.ts';

export const vaultSecret = 'the-secret-of-the-test';
export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** Reads a configuration from YAML. */
export function configFrom(
  yaml: string,
  variables: Record<string, string> = {},
  secret: string | undefined = vaultSecret,
) {
  const directory = temporaryDirectory();
  try {
    const file = join(directory.path, 'vault.yaml');
    writeFileSync(file, yaml);
    return readVaultConfig({
      env: { VAULT_CONFIG: file, DATA_DIR: directory.path },
      variables,
      secret,
    });
  } finally {
    directory.remove();
  }
}

/**
 * A server on a free port in place of an external service. It can be stopped and restarted at the
 * same address.
 */
export async function receiver(respond: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  let port = 0;
  const start = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address === 'object' && address) port = address.port;
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await start();
  return { url: `http://127.0.0.1:${port}`, requests, start, stop };
}

/** A stub of the health endpoints of a vector database, which can be stopped. */
export const healthyVectorDb = () =>
  receiver(({ url }, response) => {
    const body =
      url === '/v1/meta'
        ? {
            hostname: 'test',
            version: '1',
            modules: {},
            documentCount: 7,
            objectCount: 70,
            collections: 1,
          }
        : { status: 'healthy' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });

export function recordLog() {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { lines, sink, log: createLog({ LOG_LEVEL: 'trace', LOG_FORMAT: 'json' }, sink) };
}

/** The real vault with these settings, in this process. */
export async function testVault({
  yaml = '',
  vectorDbUrl,
}: {
  yaml?: string;
  vectorDbUrl: string;
}) {
  const directory = temporaryDirectory();
  const { lines, log } = recordLog();
  const vault = await createVault({
    config: configFrom(yaml),
    vectorDbUrl,
    dataDirectory: join(directory.path, 'not-made-yet'),
    log,
    clock: () => new Date(),
  });
  return {
    lines,
    async request(
      method: string,
      path: string,
      headers: Record<string, string> = bearer(vaultSecret),
      body?: string,
    ) {
      const response = await vault.fetch(
        new Request(`http://vault.test${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
        }),
      );
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text.startsWith('{') ? JSON.parse(text) : {},
      };
    },
    async close() {
      vault.stop();
      await vault.close();
      directory.remove();
    },
  };
}
