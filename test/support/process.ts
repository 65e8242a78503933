import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type Running = { process: ChildProcess; address: string; output: () => string; ended: Promise<number | null> };

/** A directory that is gone after the test. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a source file as its own process, with these settings and no others of Atrium's. */
export function run(file: string, settings: Record<string, string>, args: string[] = []) {
  const { PATH, HOME, TMPDIR } = process.env;
  const inherited = Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR }).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const child = spawn(process.execPath, [join(root, file), ...args], { cwd: root, env: { ...inherited, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** Starts the server on a free port and waits for its ready line. */
export async function start(settings: Record<string, string>): Promise<Running> {
  const { child, stdout, stderr, ended } = run('src/main.ts', { PORT: '0', LOG_FORMAT: 'json', ...settings });
  const output = () => stdout() + stderr();
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const line = stdout()
        .split('\n')
        .find((candidate) => candidate.includes('"ready":true'));
      if (line) resolve(JSON.parse(line).addresses.api);
    });
    ended.then((code) => reject(new Error(`the server ended with ${code}: ${output()}`)), reject);
  });
  return { process: child, address: await ready, output, ended };
}
