import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../support/process.ts';
import type { Build } from './image-build.ts';

type Image = Pick<Build, 'files' | 'config' | 'directory'>;

const readyMs = 120_000;

// Names of the machine, as an engine hands them in; then what it does with `--read-only --tmpfs
// /tmp -v data:/data --cap-drop ALL --security-opt no-new-privileges`.
const confine = `set -e
cp /etc/hosts "$FILES/etc/hosts"
mount --bind "$FILES" "$ROOT"
mount -o remount,bind,ro "$ROOT"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount --bind "$DATA" "$ROOT/data"
mount -t proc proc "$ROOT/proc"
mount --bind /dev "$ROOT/dev"
exec setpriv --no-new-privs chroot --userspec="$OWNER" "$ROOT" /usr/bin/env -i -C "$WORKDIR" "$@"`;

/** Runs the image in namespaces of its own, with its own user, environment and entry point. */
export async function runImage(
  { files, config, directory }: Image,
  settings: Record<string, string>,
) {
  const port = await freePort();
  const [root, data] = [join(directory, 'root'), join(directory, 'data')];
  for (const made of [root, data]) mkdirSync(made, { recursive: true });
  const [uid = '', gid = ''] = config.User.split(':');
  await once(spawn('chown', [`${uid}:${gid}`, data]), 'close');
  const environment = [
    ...config.Env,
    ...Object.entries({
      PORT: String(port),
      VAULT_PORT: '0',
      VECTOR_DB_PORT: '0',
      ...settings,
    }).map(([name, value]) => `${name}=${value}`),
  ];
  const given = {
    PATH: process.env['PATH'] ?? '',
    FILES: files,
    ROOT: root,
    DATA: data,
    OWNER: config.User,
    WORKDIR: config.WorkingDir,
  };
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      confine,
      'sh',
      ...environment,
      ...config.Entrypoint,
    ],
    {
      env: given,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  const deadline = Date.now() + readyMs;
  while (!output.includes('"ready":true')) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`the image did not start: ${output.slice(-3_000)}`);
    await wait(100);
  }
  const pid = innerPid(child);
  return {
    address: `http://127.0.0.1:${port}`,
    output: () => output,
    /** Of the one process of the image, as the machine sees it. */
    status: () => readFileSync(`/proc/${pid}/status`, 'utf8'),
    /**
     * Runs the check of the image's health beside it, as an engine does; gives what it ended with.
     */
    async checkHealth(): Promise<number | null> {
      const [, ...command] = config.Healthcheck?.Test ?? [];
      const inside = [
        '--target',
        String(pid),
        '--mount',
        '--pid',
        'setpriv',
        '--no-new-privs',
        'chroot',
        `--userspec=${config.User}`,
        root,
        '/usr/bin/env',
        '-i',
        '-C',
        config.WorkingDir,
      ];
      const check = spawn('nsenter', [...inside, ...environment, ...command], { stdio: 'ignore' });
      const [code] = await once(check, 'close');
      return code;
    },
    /** Tells the process to stop; gives its code and the seconds that it took. */
    async stop(): Promise<{ code: number | null; seconds: number }> {
      const startedAt = Date.now();
      process.kill(pid, 'SIGTERM');
      const code = await ended;
      return { code, seconds: (Date.now() - startedAt) / 1000 };
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** The first process of the namespace: what `unshare` has become the parent of. */
function innerPid({ pid }: ChildProcess): number {
  const inner = Number(
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0],
  );
  if (!inner) throw new Error('the process of the image was not found');
  return inner;
}
