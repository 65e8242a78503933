import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVectorDbClient } from '../../src/vault/vector-db/client.ts';
import { residentBytes } from '../bench/vault-servers.ts';
import { allocatorSettings } from './allocator-settings.ts';
import { run } from './process.ts';
import { vaultSecret } from './vault.ts';
import type { VectorLocation } from './vector-engines.ts';

const script = relative('.', fileURLToPath(new URL('./vector-db-process.ts', import.meta.url)));

type ProcessOptions = { cacheMb?: number; isInspected?: boolean };

/** Starts a vector database as a process of its own, to kill it or to measure its memory. */
export async function startVectorDbProcess(
  { location, engine, storageOptions }: VectorLocation,
  { cacheMb, isInspected = false }: ProcessOptions = {},
) {
  const settings = {
    ...allocatorSettings,
    ...(isInspected && { NODE_OPTIONS: '--inspect=127.0.0.1:0' }),
  };
  const { child, stdout, stderr, ended } = run(script, settings, [
    location,
    engine,
    JSON.stringify({ storageOptions, cacheMb }),
  ]);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, address] = /ready (\S+)\n/.exec(stdout()) ?? [];
      if (address) resolve(address);
    });
    ended.then((code) => reject(new Error(`ended with ${code}: ${stderr()}`)), reject);
  });
  return {
    child,
    ended,
    output: stderr,
    client: createVectorDbClient({ url, secret: vaultSecret }),
    residentBytes: () => residentBytes(child.pid ?? 0),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
