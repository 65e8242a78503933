import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createReaderLauncher } from '../../src/vault/extract/reader-launcher.ts';

const secret = 'the-secret-that-a-parser-wants';

/**
 * Runs the probe with the launch for documents; this process holds the secret and runs a server.
 */
export async function probeSandbox(directory: string) {
  const ownDirectory = join(directory, 'own');
  mkdirSync(ownDirectory);
  const foreignFile = join(directory, 'another-document');
  writeFileSync(foreignFile, 'a document of another tenant');
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const target = {
    secretPid: process.pid,
    secret,
    foreignFile,
    outsideFile: join(directory, 'written'),
    port: typeof address === 'object' && address ? address.port : 0,
  };
  const launcher = createReaderLauncher();
  const reader = launcher.launch({
    directory: ownDirectory,
    heapMegabytesMax: 256,
    processorSecondsMax: 60,
    niceness: 0,
    program: new URL('./sandbox-probe.ts', import.meta.url).href,
  });
  const chunks: Uint8Array[] = [];
  reader.on('output', (chunk) => chunks.push(chunk));
  reader.write(Buffer.from(JSON.stringify(target)));
  await once(reader, 'closed');
  launcher.close();
  server.close();
  const attempts: { name: string; succeeded: boolean; how: string }[] = JSON.parse(
    Buffer.concat(chunks).toString() || '[]',
  );
  return { attempts, connections };
}
