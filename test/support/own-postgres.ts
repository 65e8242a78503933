import { execFile, execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './process.ts';

export type OwnPostgres = NonNullable<Awaited<ReturnType<typeof openOwnPostgres>>>;

/**
 * Starts a Postgres server that a test may break. Undefined without its programs; initdb refuses to
 * run as root, so root needs an account `postgres`.
 */
export async function openOwnPostgres() {
  const programs = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);
  if (programs === undefined || !existsSync(join(programs, 'initdb')) || (isRoot && !hasAccount()))
    return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'atrium-postgres-'));
  if (isRoot) execFileSync('chown', ['postgres', directory]);
  const data = join(directory, 'data');
  const port = await freePort();
  const call = async (program: string, ...args: string[]) => {
    const command = [join(programs, program), ...args];
    const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    await promisify(execFile)(file, rest, { cwd: directory });
  };
  await call(
    'initdb',
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale',
    'C',
  );
  const start = () =>
    call(
      'pg_ctl',
      'start',
      '-w',
      '-D',
      data,
      '-l',
      join(directory, 'log'),
      '-o',
      `-p ${port} -k ${directory} -c listen_addresses=127.0.0.1 -c fsync=off`,
    );
  const postmaster = () =>
    Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  await start();

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop: (how: 'fast' | 'immediate') => call('pg_ctl', 'stop', '-w', '-D', data, '-m', how),
    /** Suspends the server: it keeps its connections and accepts new ones, but does not answer. */
    hang() {
      // The postmaster is stopped first, so that it does not take a stopped child for a dead one.
      for (const pid of [postmaster(), ...childrenOf(postmaster())]) process.kill(pid, 'SIGSTOP');
    },
    resume() {
      for (const pid of [...childrenOf(postmaster()), postmaster()]) process.kill(pid, 'SIGCONT');
    },
    async close() {
      if (existsSync(join(data, 'postmaster.pid'))) {
        this.resume();
        await this.stop('immediate');
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const isRoot = process.getuid?.() === 0;

function hasAccount(): boolean {
  return /^postgres:/m.test(readFileSync('/etc/passwd', 'utf8'));
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}
