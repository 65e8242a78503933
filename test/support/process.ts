import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `address` is the address of the API, or of the single part that was started. */
export type RunningServer = {
  process: ChildProcess;
  address: string;
  addresses: Record<string, string>;
  output: () => string;
  ended: Promise<number | null>;
};

/** A temporary directory that the test removes. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const built = new Set<string>();

/** Builds it if its sources have changed since it was built last. */
function build(name: 'server' | 'console'): void {
  if (!built.has(name))
    execFileSync(process.execPath, [join(root, `src/build/${name}.ts`)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  built.add(name);
}

/** The bundle that production runs. */
export function serverProgram(): string {
  build('server');
  return 'src/generated/server/main.mjs';
}

/** Builds the web application, which the tests of its pages open. */
export const buildConsole = (): void => build('console');

/** Runs a source file in its own process, with only these Atrium settings. */
export function run(
  file: string,
  settings: Record<string, string>,
  args: string[] = [],
  workingDirectory = root,
) {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const inherited = Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: workingDirectory,
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Settings that give every server its own ports. */
export const freePorts = { PORT: '0', VAULT_PORT: '0', VECTOR_DB_PORT: '0' };

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts the server, or one part of it, on free ports and waits for its "ready" log entry. */
export async function start(
  settings: Record<string, string>,
  args: string[] = [],
  workingDirectory = root,
): Promise<RunningServer> {
  const { child, stdout, stderr, ended } = run(
    serverProgram(),
    { ...freePorts, LOG_FORMAT: 'json', ...settings },
    args,
    workingDirectory,
  );
  const output = () => stdout() + stderr();
  const ready = new Promise<Record<string, string>>((resolve, reject) => {
    const checkLine = () => {
      const line = stdout()
        .split('\n')
        .find((candidate) => candidate.includes('"ready":true'));
      if (!line) return;
      const { addresses, firstStart } = JSON.parse(line);
      // The welcome follows the line.
      if (firstStart && stdout().endsWith(`${line}\n`)) return;
      // The listener is removed, because searching the whole output again for each line would
      // become slow.
      child.stdout.off('data', checkLine);
      resolve(addresses);
    };
    child.stdout.on('data', checkLine);
    ended.then((code) => reject(new Error(`the server ended with ${code}: ${output()}`)), reject);
  });
  const addresses = await ready;
  return {
    process: child,
    addresses,
    address: addresses['api'] ?? addresses['vault'] ?? addresses['vectorDb'] ?? '',
    output,
    ended,
  };
}
