import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { freePort } from './process.ts';

export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** Starts a Redis that a test may break. It has no persistence. */
export async function openOwnRedis() {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const kill = async () => {
    if (!server) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = undefined;
  };
  const start = async () => {
    const child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    server = child;
    await new Promise<void>((ready, failed) => {
      child.stdout.on(
        'data',
        (chunk: Buffer) => chunk.includes('Ready to accept connections') && ready(),
      );
      child.once('exit', (code) => failed(new Error(`redis-server ended with ${code}`)));
    });
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    /** Suspends the server: it keeps its connections and accepts new ones, but does not answer. */
    hang: () => server?.kill('SIGSTOP'),
    resume: () => server?.kill('SIGCONT'),
  };
}
