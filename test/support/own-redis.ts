import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { freePort } from './process.ts';

export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis that a test may break; it keeps nothing over a restart. */
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
    const begun = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    server = begun;
    await new Promise<void>((ready, failed) => {
      begun.stdout.on(
        'data',
        (said: Buffer) => said.includes('Ready to accept connections') && ready(),
      );
      begun.once('exit', (code) => failed(new Error(`redis-server ended with ${code}`)));
    });
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    /** It keeps its connections and takes new ones, and answers nothing. */
    hang: () => server?.kill('SIGSTOP'),
    goOn: () => server?.kill('SIGCONT'),
  };
}
