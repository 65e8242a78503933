import { readEnv } from '../platform/env.ts';
import { runCommand } from './command.ts';

/**
 * `node src/commands/check-health.ts [part]` checks the health of a part that runs in the same container.
 */
async function main(part: string | undefined): Promise<void> {
  const { HOST, PORT, VAULT_PORT, VECTOR_DB_PORT } = readEnv();
  const addresses: Record<string, string> = {
    api: `${PORT}/readyz`,
    vault: `${VAULT_PORT}/health`,
    'vector-db': `${VECTOR_DB_PORT}/v1/.well-known/ready`,
  };
  const address = addresses[part ?? 'api'];
  if (address === undefined)
    throw new Error(
      `There is no part called ${part}. Name one of ${Object.keys(addresses).join(', ')}.`,
    );
  const { status } = await fetch(`http://${hostFromHere(HOST)}:${address}`, {
    signal: AbortSignal.timeout(4_000),
  });
  if (status !== 200) throw new Error(`It answered ${status}`);
}

/** The address at which a server that listens on `host` is reached from its own machine. */
function hostFromHere(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

runCommand(() => main(process.argv[2]));
