import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, temporaryDirectory } from './process.ts';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** Starts PgBouncer in front of this database. */
export async function startPgBouncer(databaseUrl: string, poolMode: 'session' | 'transaction') {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const directory = temporaryDirectory();
  const ownPort = await freePort();
  const database = pathname.slice(1);
  const settings = [
    '[databases]',
    `${database} = host=${hostname} port=${port || 5432} dbname=${database} user=${username || 'postgres'}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ownPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${poolMode}`,
    'default_pool_size = 10',
  ];
  const file = join(directory.path, 'pgbouncer.ini');
  writeFileSync(file, settings.join('\n'));
  // As root it switches to another user, who must be able to read its settings.
  chmodSync(directory.path, 0o755);
  const isRoot = process.getuid?.() === 0;
  const pooler = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((ready, failed) => {
    let output = '';
    pooler.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('process up')) ready();
    });
    pooler.once('exit', (code) => failed(new Error(`pgbouncer ended with ${code}: ${output}`)));
  });
  return {
    url: `postgres://${username || 'postgres'}@127.0.0.1:${ownPort}/${database}`,
    async stop() {
      const ended = once(pooler, 'exit');
      pooler.kill('SIGKILL');
      await ended;
      directory.remove();
    },
  };
}
