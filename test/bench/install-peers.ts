import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../peers/', import.meta.url));

/**
 * Installs the packages of `test/peers`: servers and tools of others that only benchmarks and
 * proofs start. They are a package of their own, so that `npm ci` of Atrium stays small.
 */
export function installPeers(): void {
  if (changedAtMs('node_modules/.package-lock.json') >= changedAtMs('package-lock.json')) return;
  console.log('  npm ci in test/peers …');
  execFileSync('npm', ['ci'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** The path of the Bun program in its package. Undefined on a system for which Bun has no package. */
export function installedBun(): string | undefined {
  installPeers();
  const system = `${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
  const program = `${folder}node_modules/@oven/bun-${system}/bin/bun`;
  return existsSync(program) ? program : undefined;
}

const changedAtMs = (file: string) =>
  statSync(folder + file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
