import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atMost } from '../../bench/goals.ts';
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { freePorts, run, temporaryDirectory } from '../../support/process.ts';
import { serverUrl } from '../faults/place.ts';
import { isReachable } from '../isolation/wall-role.ts';
import { type Finding, none, type Proof } from '../proof.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const startSeconds = 60;
const stopSeconds = 15;
const anotherUser = 65_534;

export const proof: Proof = {
  claim:
    'Other users of the machine cannot reach what Atrium writes, signals to npm start reach the server, and a pooler in transaction mode stops the start',
  async attempt({ say }) {
    return [...(await filesAndSignals(say)), await openDirectory(), await pooler()];
  },
};

/** `npm start` as a person or a process manager runs it, under a umask that forbids nothing. */
async function filesAndSignals(say: (line: string) => void): Promise<Finding[]> {
  const parent = temporaryDirectory();
  const data = join(parent.path, 'data');
  const npm = spawn('sh', ['-c', 'umask 0; exec npm start'], {
    cwd: root,
    env: {
      ...process.env,
      ...freePorts,
      NODE_ENV: 'development',
      DATA_DIR: data,
      LOG_FORMAT: 'json',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let serverId: number | undefined;
  try {
    await until(
      () => output.includes('"ready":true'),
      startSeconds,
      () => output,
    );
    serverId = Number(/"pid":(\d+)/.exec(output)?.[1]);
    const loose = looseEntries(data);
    for (const entry of loose.slice(0, 5)) say(`open to others: ${entry}`);
    const startedAt = performance.now();
    npm.kill('SIGTERM');
    await until(
      () => hasEnded(npm),
      stopSeconds,
      () => 'npm start did not end',
    ).catch(() => undefined);
    const seconds = (performance.now() - startedAt) / 1_000;
    const survivors = isRunning(serverId) ? 1 : 0;
    return [
      none('files and directories that other users may write to', loose.length),
      none(
        'modes of the data directory other than 0700',
        (lstatSync(data).mode & 0o777) === 0o700 ? 0 : 1,
      ),
      none('servers that outlive npm start after SIGTERM', survivors),
      atMost(stopSeconds, {
        figure: 'seconds until npm start has ended',
        value: seconds,
        unit: 's',
      }),
    ];
  } finally {
    npm.kill('SIGKILL');
    if (serverId !== undefined && isRunning(serverId)) process.kill(serverId, 'SIGKILL');
    parent.remove();
  }
}

function looseEntries(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        !entry.isSymbolicLink() &&
        (lstatSync(join(entry.parentPath, entry.name)).mode & 0o022) !== 0,
    )
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A data directory of another user that everybody may write to. */
async function openDirectory(): Promise<Finding> {
  const figure = 'starts on a data directory that other users may write to';
  if (process.getuid?.() !== 0)
    return { figure, leftOut: 'only root can make a directory of another user' };
  const parent = temporaryDirectory();
  const data = join(parent.path, 'data');
  mkdirSync(data);
  chmodSync(data, 0o777);
  chownSync(data, anotherUser, anotherUser);
  const { refused } = await startedWith({ DATA_DIR: data }, 'Other users may write to');
  parent.remove();
  return none(figure, refused ? 0 : 1);
}

async function pooler(): Promise<Finding> {
  const figure = 'starts behind PgBouncer in transaction mode';
  if (!hasPgBouncer) return { figure, leftOut: 'pgbouncer is not installed' };
  if (!(await isReachable())) return { figure, leftOut: 'there is no Postgres on this machine' };
  const { server, url } = await emptyDatabase(serverUrl);
  const bouncer = await startPgBouncer(url, 'transaction');
  const { refused } = await startedWith(
    { DATABASE_URL: bouncer.url, DATA_DIR: ':memory:' },
    'pool_mode = session',
  );
  await bouncer.stop();
  await server.close();
  return none(figure, refused ? 0 : 1);
}

/** Whether the start ends with this sentence. */
async function startedWith(
  settings: Record<string, string>,
  sentence: string,
): Promise<{ refused: boolean }> {
  const { child, stdout, stderr, ended } = run('src/main.ts', {
    ...freePorts,
    LOG_FORMAT: 'json',
    ...settings,
  });
  let code: number | null | undefined;
  void ended.then((value) => (code = value));
  await until(
    () => code !== undefined || stdout().includes('"ready":true'),
    startSeconds,
    stderr,
  ).catch(() => undefined);
  child.kill('SIGKILL');
  return { refused: code === 1 && stderr().includes(sentence) };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;
const isRunning = (id: number) => spawnSync('kill', ['-0', String(id)]).status === 0;

async function until(isSo: () => boolean, seconds: number, explain: () => string): Promise<void> {
  for (const endsAt = performance.now() + seconds * 1_000; !isSo(); ) {
    if (performance.now() > endsAt) throw new Error(explain());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
