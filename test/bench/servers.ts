import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { allocatorSettings } from '../support/allocator-settings.ts';
import { installedBun, installPeers } from './install-peers.ts';

export type Server = { origin: string; pid: number; readyMs: number; stop(): Promise<void> };
export type NamedServer = { name: string; server: Server };

export const atriumScript = 'src/generated/server/main.mjs';
const bunScript = 'test/peers/elysia.bun.ts';

/** The reads of REST without a framework, and on another runtime. */
export const otherRestServers = {
  'postgres.js': 'test/peers/bare-postgres.ts',
  'Elysia on Bun': bunScript,
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const nodeFlags = ['--max-semi-space-size=64'];
const serverSettings = {
  ...allocatorSettings,
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  DATABASE_POOL: '4',
  HOST: '127.0.0.1',
  AUTH_SECRET: randomBytes(32).toString('hex'),
  EMAIL_VERIFICATION: 'off',
};
const startMsMax = 60_000;

/** Starts Atrium, called `ours`, and these scripts, each in its own process, and stops them. */
export async function withServers<Result>(
  peers: Record<string, string>,
  env: Record<string, string>,
  use: (servers: NamedServer[]) => Promise<Result>,
): Promise<Result> {
  const servers: NamedServer[] = [];
  try {
    for (const [name, script] of Object.entries({ ours: atriumScript, ...peers })) {
      if (script === bunScript && !installedBun())
        console.log(`  ${name} is left out: there is no Bun for this system`);
      else servers.push({ name, server: await startServer(script, env) });
    }
    return await use(servers);
  } finally {
    for (const { server } of servers) await server.stop();
  }
}

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
  const [program, flags] =
    script === bunScript ? [installedBun() ?? '', []] : [process.execPath, nodeFlags];
  const child = spawn(program, [...flags, script, ...args], {
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
