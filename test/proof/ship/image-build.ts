import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../support/process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const certificates = '/etc/ssl/certs/ca-certificates.crt';
// The slim images of Debian leave these folders out.
const removedFolders = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/info',
];

/** The reason why no image can be built on this machine; undefined where it can. */
export function imageUnavailableReason(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'building and running an image needs root on Linux';
  const missing = ['buildah', 'debootstrap', 'unshare', 'setpriv'].filter(
    (tool) => spawnSync(tool, ['--help']).error,
  );
  return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
}

export type BuiltImage = Awaited<ReturnType<typeof buildImage>>;

/**
 * Builds the Dockerfile unchanged, on a Debian base made from packages. This needs neither a
 * container engine nor an image registry.
 */
export async function buildImage(log: (line: string) => void) {
  const directory = temporaryDirectory();
  const store = [
    '--storage-driver',
    'overlay',
    '--root',
    join(directory.path, 'store'),
    '--runroot',
    join(directory.path, 'run'),
  ];
  const buildah = (...args: string[]) => runTool('buildah', [...store, ...args]);
  const debian = join(directory.path, 'debian');
  try {
    log('creating a Debian base from packages');
    await runTool('debootstrap', [
      '--variant=minbase',
      '--include=ca-certificates',
      'bookworm',
      debian,
    ]);
    for (const folder of removedFolders)
      rmSync(join(debian, folder), { recursive: true, force: true });
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
    // Behind a proxy, npm may need additional certificates.
    const extraCertificates = process.env['NODE_EXTRA_CA_CERTS'];
    if (extraCertificates) {
      await buildah('copy', '-q', base, extraCertificates, certificates);
      await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, base);
    }
    await buildah('commit', '-q', base, 'localhost/node:here');
    log('building the Dockerfile');
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
    const config = configOf(
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

type InspectedImage = {
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

const configOf = ({ Docker: { config } }: InspectedImage) => config;

async function removeStore(
  buildah: (...args: string[]) => Promise<string>,
  remove: () => void,
): Promise<void> {
  await buildah('rm', '--all').catch(() => undefined);
  await buildah('rmi', '--all', '--force').catch(() => undefined);
  remove();
}

async function npmDirectory(): Promise<string> {
  const npmPath = process.env['npm_execpath'];
  return npmPath ? dirname(dirname(npmPath)) : join(await runTool('npm', ['root', '-g']), 'npm');
}

/** Runs a command and returns the last line of its output, or all of it when it is JSON. */
async function runTool(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let standardOutput = '';
  let fullOutput = '';
  child.stdout.on('data', (chunk: Buffer) => {
    standardOutput += chunk.toString();
    fullOutput += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    fullOutput += chunk.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${fullOutput.slice(-3_000)}`);
  const text = standardOutput.trim();
  return text.startsWith('{') ? text : (text.split('\n').at(-1) ?? '');
}
