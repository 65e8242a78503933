import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type Server = { origin: string; pid: number; readyMs: number; stop(): Promise<void> };

/** The three that are compared, each a process of its own. */
export const ours = 'src/main.ts';
export const fastifyPg = 'test/bench/peers/fastify-pg.ts';
export const fastifyPrisma = 'test/bench/peers/fastify-prisma.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const nodeFlags = ['--max-semi-space-size=64'];
const settings = { NODE_ENV: 'production', LOG_LEVEL: 'warn', DATABASE_POOL: '4', HOST: '127.0.0.1', AUTH_SECRET: randomBytes(32).toString('hex') };
const startMsMax = 60_000;

/** Starts a server and waits until it says that it is ready. The peers have no /readyz: any answer to it will do. */
export async function startServer(script: string, env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, script], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...settings, PORT: String(port), ...env },
    // A development server tells the keys of its demo data, which nobody needs here.
    stdio: ['ignore', env['NODE_ENV'] === 'development' ? 'ignore' : 'inherit', 'inherit'],
  });
  await ready(origin, child, startedAt);
  return {
    origin,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function ready(origin: string, child: ChildProcess, startedAt: number): Promise<void> {
  while (child.exitCode === null && performance.now() - startedAt < startMsMax) {
    const status = await fetch(`${origin}/readyz`).then(
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
