import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePorts, serverProgram, temporaryDirectory } from './support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

// Modes do not apply to root, so the program runs as the user `nobody` of most systems.
const isRoot = process.getuid?.() === 0;
const userId = isRoot ? 65_534 : (process.getuid?.() ?? 0);
const parent = temporaryDirectory();
const data = join(parent.path, 'data');
const at = (...names: string[]) => join(data, ...names);

type Program = { child: ChildProcess; stdout: () => string; stderr: () => string };
let running: Program | undefined;
let key = '';
let assistantId = '';

/** Starts the program as another user. */
function startProgram(): Program & { ended: Promise<number | null> } {
  const program = resolve(serverProgram());
  const child = spawn(process.execPath, [program], {
    cwd: parent.path,
    env: { ...freePorts, PATH: process.env['PATH'], DATA_DIR: data, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: userId, gid: userId }),
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk: Buffer) => {
      output[name] += chunk.toString();
    });
  running = { child, stdout: () => output.stdout, stderr: () => output.stderr };
  return { ...running, ended: once(child, 'close').then(([code]) => code) };
}

async function startUntilReady() {
  const program = startProgram();
  await vi.waitFor(
    () => expect(`${program.stdout()}${program.stderr()}`).toContain('"ready":true'),
    { timeout: 60_000, interval: 100 },
  );
  const [line = ''] = program
    .stdout()
    .split('\n')
    .filter((text) => text.includes('"ready":true'));
  const address = String(JSON.parse(line).addresses.api);
  const list = async (): Promise<ListedFile[]> => {
    const response = await fetch(
      `${address}/api/assistant-files/v1/assistants/${assistantId}/files`,
      { headers: { authorization: `Bearer ${key}` } },
    );
    const { files = [] } = Object(await response.json());
    return files.map(({ id, processingStatus }: ListedFile) => ({ id, processingStatus }));
  };
  return {
    ...program,
    list,
    async stop() {
      program.child.kill('SIGTERM');
      expect(await program.ended).toBe(0);
    },
  };
}
type ListedFile = { id: string; processingStatus: string };

/** Code and error output of a start that fails. */
async function failedStart() {
  const program = startProgram();
  const code = await program.ended;
  return { code, lines: program.stderr().trim().split('\n') };
}

/** Whether the other user can read this program and Node. */
function canRun(): boolean {
  if (process.platform === 'win32') return false;
  if (!isRoot) return true;
  const paths = [resolve(serverProgram()), process.execPath];
  for (const path of paths)
    for (let above = path; above !== dirname(above); above = dirname(above))
      if ((statSync(above).mode & 0o005) !== 0o005 && above !== path) return false;
  return true;
}

const isRunnable = canRun();
if (!isRunnable)
  process.stderr.write(
    'Skipped: starts after modes were changed, because another user cannot read this program.\n',
  );
describe.skipIf(!isRunnable)('a start after modes and owners were changed', () => {
  let files: unknown[];
  beforeAll(async () => {
    chmodSync(parent.path, 0o755);
    mkdirSync(data, { mode: 0o700 });
    if (isRoot) chownSync(data, userId, userId);
    const first = await startUntilReady();
    [, key = '', assistantId = ''] =
      /Bearer (\S+)'.*\/assistants\/([^/]+)\/files\n/.exec(first.stdout()) ?? [];
    await vi.waitFor(
      async () => {
        const statuses = (await first.list()).map((file) => file.processingStatus);
        expect(new Set(statuses)).toEqual(new Set(['COMPLETED']));
      },
      { timeout: 90_000, interval: 500 },
    );
    files = await first.list();
    await first.stop();
  });
  afterEach(() => running?.child.kill('SIGKILL'));
  afterAll(() => parent.remove());

  const mode = (path: string) => statSync(path).mode & 0o777;
  const inVectors = () =>
    readdirSync(at('vectors'))
      .filter((name) => name.startsWith('passages'))
      .map((name) => at('vectors', name))[0] ?? '';

  const closed = {
    'the database cannot be read': () => [at('database'), 0o000],
    'the database cannot be written': () => [at('database'), 0o500],
    'a file of the database cannot be written': () => [at('database', 'base', '5', '1259'), 0o400],
    'a file of the database cannot be read': () => [at('database', 'PG_VERSION'), 0o000],
    'its lock can only be read': () => [at('database.lock'), 0o400],
    'the lock of the vector database cannot be read': () => [at('vectors.lock'), 0o000],
    'a secret cannot be read': () => [at('auth-secret'), 0o000],
    'the stored files cannot be written': () => [at('files'), 0o500],
    'the files of an assistant cannot be read': () => [
      at('files', readdirSync(at('files')).find((name) => name !== 'incoming') ?? ''),
      0o000,
    ],
    'the vector database cannot be written': () => [at('vectors'), 0o500],
    'its registry can only be read': () => [at('vectors', 'registry.sqlite'), 0o400],
    'a file of passages can only be read': () => [inVectors(), 0o400],
    'the directory of the vault cannot be read': () => [at('vault-work'), 0o000],
    'the directory of the readers can only be read': () => [at('vault-readers'), 0o500],
  } satisfies Record<string, () => [string, number]>;

  it.each(Object.entries(closed))(
    'It stops with one sentence that names the file if %s, and changes nothing',
    async (_, change) => {
      const [path, changed] = change();
      const before = mode(path);
      chmodSync(path, changed);
      const { code, lines } = await failedStart();
      expect(mode(path)).toBe(changed);
      chmodSync(path, before);
      expect(lines).toEqual([expect.stringMatching(/This user (has no access to|cannot open) /)]);
      const named = lines[0]?.includes(path) || lines[0]?.includes(`${path}/`);
      expect(named || dirname(path) === data).toBe(true);
      expect(code).toBe(1);
    },
  );

  it('It stops with one sentence if a directory lies where a secret was, or the registry is damaged', async () => {
    const secret = at('auth-secret');
    renameSync(secret, `${secret}.away`);
    mkdirSync(secret);
    if (isRoot) chownSync(secret, userId, userId);
    expect(await failedStart()).toEqual({
      code: 1,
      lines: [`${secret} is a directory, and not a file. Name a file (EISDIR)`],
    });
    rmSync(secret, { recursive: true });
    renameSync(`${secret}.away`, secret);

    const registry = at('vectors', 'registry.sqlite');
    const content = readFileSync(registry);
    writeFileSync(registry, Buffer.alloc(20_000, 7));
    const { code, lines } = await failedStart();
    writeFileSync(registry, content);
    expect([code, lines]).toEqual([
      1,
      [expect.stringContaining(`The vector database in ${at('vectors')} cannot be opened`)],
    ]);
  });

  it('A file that cannot be read waits, and is processed once it can be read again', async () => {
    const [assistant = ''] = readdirSync(at('files')).filter((name) => name !== 'incoming');
    const stored = readdirSync(at('files', assistant)).map((name) => at('files', assistant, name));
    for (const path of stored) chmodSync(path, 0o000);
    cpSync(at('vectors'), join(parent.path, 'vectors.away'), { recursive: true });
    rmSync(at('vectors'), { recursive: true });
    const program = await startUntilReady();
    await expect
      .poll(program.stdout, { timeout: 30_000 })
      .toContain(`This user has no access to ${stored[0]}`);
    for (const path of stored) chmodSync(path, 0o600);
    await expect.poll(program.list, { timeout: 90_000, interval: 500 }).toEqual(files);
    await program.stop();
  });

  it('After all of this the next start has all data', async () => {
    const program = await startUntilReady();
    expect(await program.list()).toEqual(files);
    await program.stop();
  });
});
