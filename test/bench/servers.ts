import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installPeers } from './install-peers.ts';

export type Server = { origin: string; pid: number; readyMs: number; stop(): Promise<void> };

/** The three servers that are compared. Each runs in its own process. */
export const atriumScript = 'src/main.ts';
export const fastifyPg = 'test/peers/fastify-pg.ts';
export const fastifyPrisma = 'test/peers/fastify-prisma.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const nodeFlags = ['--max-semi-space-size=64'];
const serverSettings = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  DATABASE_POOL: '4',
  HOST: '127.0.0.1',
  AUTH_SECRET: randomBytes(32).toString('hex'),
  EMAIL_VERIFICATION: 'off',
};
const startMsMax = 60_000;

type ProcessOptions = {
  script: string;
  args?: string[];
  env: Record<string, string>;
  portSetting: string;
  port?: number;
  readyPath: string;
};

/**
 * Starts a server and waits until it is ready. The peers have no /readyz; for them any answer
 * counts.
 */
export const startServer = (script: string, env: Record<string, string>): Promise<Server> =>
  startProcess({
    script,
    args: script === atriumScript ? ['api'] : [],
    env,
    portSetting: 'PORT',
    readyPath: '/readyz',
  });

/** Starts a server on this port or on a free one, and waits until its answer is not a failure. */
export async function startProcess({
  script,
  args = [],
  env,
  portSetting,
  port,
  readyPath,
}: ProcessOptions): Promise<Server> {
  if (script.startsWith('test/peers/')) installPeers();
  const usedPort = port ?? (await freePort());
  const origin = `http://127.0.0.1:${usedPort}`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, script, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...serverSettings, [portSetting]: String(usedPort), ...env },
    // A development server prints the keys of its demo data, which are not needed here.
    stdio: ['ignore', env['NODE_ENV'] === 'development' ? 'ignore' : 'inherit', 'inherit'],
  });
  await waitUntilReady(origin + readyPath, child, startedAt);
  return {
    origin,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function waitUntilReady(
  address: string,
  child: ChildProcess,
  startedAt: number,
): Promise<void> {
  while (child.exitCode === null && performance.now() - startedAt < startMsMax) {
    const status = await fetch(address).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status !== undefined && status < 500) return;
    await sleep(10);
  }
  child.kill('SIGKILL');
  throw new Error(`${child.spawnargs.join(' ')} did not start`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
