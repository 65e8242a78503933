import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/process.ts';
import type { BuiltImage } from './image-build.ts';

type RunnableImage = Pick<BuiltImage, 'files' | 'config' | 'directory'>;

const readyMs = 120_000;

// Copies /etc/hosts as a container engine does, and then does the same as its options
// `--read-only --tmpfs /tmp -v data:/data --cap-drop ALL --security-opt no-new-privileges`.
const confineScript = `set -e
cp /etc/hosts "$FILES/etc/hosts"
mount --bind "$FILES" "$ROOT"
mount -o remount,bind,ro "$ROOT"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount --bind "$DATA" "$ROOT/data"
mount -t proc proc "$ROOT/proc"
mount --bind /dev "$ROOT/dev"
exec setpriv --no-new-privs chroot --userspec="$OWNER" "$ROOT" /usr/bin/env -i -C "$WORKDIR" "$@"`;

/** Runs the image in separate namespaces, with its own user, environment and entry point. */
export async function runImage(
  { files, config, directory }: RunnableImage,
  settings: Record<string, string>,
) {
  const port = await freePort();
  const [root, data] = [join(directory, 'root'), join(directory, 'data')];
  for (const folder of [root, data]) mkdirSync(folder, { recursive: true });
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
  const confineEnvironment = {
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
      confineScript,
      'sh',
      ...environment,
      ...config.Entrypoint,
    ],
    {
      env: confineEnvironment,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  const deadline = Date.now() + readyMs;
  // The welcome of the first start follows that line.
  while (!/"ready":true.*\s+\S/.test(output)) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`the image did not start: ${output.slice(-3_000)}`);
    await pause(100);
  }
  const pid = findContainerPid(child);
  return {
    address: `http://127.0.0.1:${port}`,
    output: () => output,
    /** /proc/<pid>/status of the process of the image, as the host sees it. */
    status: () => readFileSync(`/proc/${pid}/status`, 'utf8'),
    /** Runs the HEALTHCHECK of the image as an engine does, and returns its exit code. */
    async checkHealth(): Promise<number | null> {
      const [, ...command] = config.Healthcheck?.Test ?? [];
      const nsenterArguments = [
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
      const check = spawn('nsenter', [...nsenterArguments, ...environment, ...command], {
        stdio: 'ignore',
      });
      const [code] = await once(check, 'close');
      return code;
    },
    /** Sends SIGTERM; returns the exit code and the seconds until the process exited. */
    async stop(): Promise<{ code: number | null; seconds: number }> {
      const startedAt = Date.now();
      process.kill(pid, 'SIGTERM');
      const code = await ended;
      return { code, seconds: (Date.now() - startedAt) / 1000 };
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** The first process of the namespace, which is the child of `unshare`. */
function findContainerPid({ pid }: ChildProcess): number {
  const containerPid = Number(
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0],
  );
  if (!containerPid) throw new Error('unshare has no child process');
  return containerPid;
}
