import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atMost } from '../../bench/goals.ts';
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { freePorts, run, serverProgram, temporaryDirectory } from '../../support/process.ts';
import { serverUrl } from '../faults/data-location.ts';
import { canCreateRoles } from '../isolation/restricted-database.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const startSeconds = 60;
const stopSeconds = 15;
const otherUserId = 65_534;

export const proof: Proof = {
  claim:
    'Other users of the machine cannot access files that Atrium writes, signals to npm start reach the server, and a pooler in transaction mode stops the start',
  timed: true,
  async measure({ log }) {
    return [...(await checkFilesAndSignals(log)), await checkOpenDirectory(), await checkPooler()];
  },
};

/** Runs `npm start` as a person or a process manager does, with umask 0. */
async function checkFilesAndSignals(log: (line: string) => void): Promise<ProofFinding[]> {
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
    await waitUntil(
      () => output.includes('"ready":true'),
      startSeconds,
      () => output,
    );
    serverId = Number(/"pid":(\d+)/.exec(output)?.[1]);
    const writableEntries = findWritableEntries(data);
    for (const entry of writableEntries.slice(0, 5)) log(`writable by other users: ${entry}`);
    const startedAt = performance.now();
    npm.kill('SIGTERM');
    await waitUntil(
      () => hasEnded(npm),
      stopSeconds,
      () => 'npm start did not exit',
    ).catch(() => undefined);
    const seconds = (performance.now() - startedAt) / 1_000;
    const survivorCount = isRunning(serverId) ? 1 : 0;
    return [
      exactlyZero('files and directories that other users may write to', writableEntries.length),
      exactlyZero(
        'modes of the data directory other than 0700',
        (lstatSync(data).mode & 0o777) === 0o700 ? 0 : 1,
      ),
      exactlyZero('servers still running after npm start received SIGTERM', survivorCount),
      atMost(stopSeconds, {
        figure: 'seconds until npm start exits',
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

function findWritableEntries(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        !entry.isSymbolicLink() &&
        (lstatSync(join(entry.parentPath, entry.name)).mode & 0o022) !== 0,
    )
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Starts on a data directory that belongs to another user and is writable for all. */
async function checkOpenDirectory(): Promise<ProofFinding> {
  const figure = 'starts on a data directory that other users may write to';
  if (process.getuid?.() !== 0)
    return { figure, skipped: 'only root can create a directory that belongs to another user' };
  const parent = temporaryDirectory();
  const data = join(parent.path, 'data');
  mkdirSync(data);
  chmodSync(data, 0o777);
  chownSync(data, otherUserId, otherUserId);
  const { refused } = await startWith({ DATA_DIR: data }, 'Other users may write to');
  parent.remove();
  return exactlyZero(figure, refused ? 0 : 1);
}

async function checkPooler(): Promise<ProofFinding> {
  const figure = 'starts behind PgBouncer in transaction mode';
  if (!hasPgBouncer) return { figure, skipped: 'pgbouncer is not installed' };
  if (!(await canCreateRoles())) return { figure, skipped: 'no Postgres is reachable' };
  const { server, url } = await emptyDatabase(serverUrl);
  const bouncer = await startPgBouncer(url, 'transaction');
  const { refused } = await startWith(
    { DATABASE_URL: bouncer.url, DATA_DIR: ':memory:' },
    'pool_mode = session',
  );
  await bouncer.stop();
  await server.close();
  return exactlyZero(figure, refused ? 0 : 1);
}

/** Whether the start fails with this message. */
async function startWith(
  settings: Record<string, string>,
  sentence: string,
): Promise<{ refused: boolean }> {
  const { child, stdout, stderr, ended } = run(serverProgram(), {
    ...freePorts,
    LOG_FORMAT: 'json',
    ...settings,
  });
  let code: number | null | undefined;
  void ended.then((value) => (code = value));
  await waitUntil(
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

async function waitUntil(
  isTrue: () => boolean,
  seconds: number,
  explain: () => string,
): Promise<void> {
  for (const endsAt = performance.now() + seconds * 1_000; !isTrue(); ) {
    if (performance.now() > endsAt) throw new Error(explain());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
