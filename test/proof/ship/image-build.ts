import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../support/process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const certificates = '/etc/ssl/certs/ca-certificates.crt';
// What a slim image of Debian leaves out.
const notSlim = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/info',
];

/** Why no image can be built on this machine; undefined where one can. */
export function whyNoImage(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'an image is built and run here as root of a Linux only';
  const missing = ['buildah', 'debootstrap', 'unshare', 'setpriv'].filter(
    (tool) => spawnSync(tool, ['--help']).error,
  );
  return missing.length > 0 ? `there is no ${missing.join(', ')} on this machine` : undefined;
}

export type Build = Awaited<ReturnType<typeof buildImage>>;

/**
 * Builds the Dockerfile as it is, upon a Debian made here of its packages: no engine is needed, and
 * no registry of images.
 */
export async function buildImage(say: (line: string) => void) {
  const directory = temporaryDirectory();
  const store = [
    '--storage-driver',
    'overlay',
    '--root',
    join(directory.path, 'store'),
    '--runroot',
    join(directory.path, 'run'),
  ];
  const buildah = (...args: string[]) => finish('buildah', [...store, ...args]);
  const debian = join(directory.path, 'debian');
  try {
    say('making a Debian of its packages');
    await finish('debootstrap', [
      '--variant=minbase',
      '--include=ca-certificates',
      'bookworm',
      debian,
    ]);
    for (const folder of notSlim) rmSync(join(debian, folder), { recursive: true, force: true });
    const base = await buildah('from', 'scratch');
    await buildah('add', '-q', base, debian, '/');
    rmSync(debian, { recursive: true });
    await buildah('commit', '-q', base, 'localhost/debian:here');
    await buildah('copy', '-q', base, process.execPath, '/usr/local/bin/node');
    await buildah('copy', '-q', base, await npmDirectory(), '/usr/local/lib/node_modules/npm');
    await buildah(
      'run',
      '--isolation',
      'chroot',
      base,
      'ln',
      '-s',
      '../lib/node_modules/npm/bin/npm-cli.js',
      '/usr/local/bin/npm',
    );
    // A machine behind a proxy may trust more than Debian does.
    const trusted = process.env['NODE_EXTRA_CA_CERTS'];
    if (trusted) {
      await buildah('copy', '-q', base, trusted, certificates);
      await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, base);
    }
    await buildah('commit', '-q', base, 'localhost/node:here');
    say('building the Dockerfile');
    const args = ['NODE_IMAGE=localhost/node:here', 'BASE_IMAGE=localhost/debian:here'].flatMap(
      (arg) => ['--build-arg', arg],
    );
    await buildah(
      'bud',
      '--isolation',
      'chroot',
      '--format',
      'docker',
      ...args,
      '-t',
      'localhost/atrium:here',
      root,
    );
    const container = await buildah('from', 'localhost/atrium:here');
    const config = configIn(
      JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/atrium:here')),
    );
    return {
      files: await buildah('mount', container),
      config,
      directory: directory.path,
      remove: async () => removeStore(buildah, directory.remove),
    };
  } catch (error) {
    await removeStore(buildah, directory.remove);
    throw error;
  }
}

type Inspected = {
  Docker: {
    config: {
      User: string;
      Env: string[];
      Entrypoint: string[];
      WorkingDir: string;
      Healthcheck?: { Test: string[] };
    };
  };
};

const configIn = ({ Docker: { config } }: Inspected) => config;

async function removeStore(
  buildah: (...args: string[]) => Promise<string>,
  remove: () => void,
): Promise<void> {
  await buildah('rm', '--all').catch(() => undefined);
  await buildah('rmi', '--all', '--force').catch(() => undefined);
  remove();
}

async function npmDirectory(): Promise<string> {
  const running = process.env['npm_execpath'];
  return running ? dirname(dirname(running)) : join(await finish('npm', ['root', '-g']), 'npm');
}

/**
 * Runs a program to its end and gives the last line that it wrote, or all of it where it is JSON.
 */
async function finish(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let all = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    all += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    all += chunk.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${all.slice(-3_000)}`);
  const text = out.trim();
  return text.startsWith('{') ? text : (text.split('\n').at(-1) ?? '');
}
