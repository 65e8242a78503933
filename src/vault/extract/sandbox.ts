import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Source } from './block.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
// Node checks the path that is asked for and the one behind a link: node_modules may be one.
const code = ['..', '../../../node_modules', '../../../package.json'].map(pathOf).flatMap((path) => [path, realpathSync(path)]);
const entry = fileURLToPath(new URL('./sandbox-entry.ts', import.meta.url));
const readerProgram = new URL('./reader-program.ts', import.meta.url);

type LaunchOptions = {
  /** The only directory that the process may write to, and besides the program's own code the only one that it may read. */
  directory: string;
  heapMegabytesMax: number;
  /** A process whose parent was killed ends after this much work at the latest. */
  processorSecondsMax: number;
  program?: URL;
};

/**
 * Starts a process without an environment in Node's permission model: no files but its own directory and the program's code, no
 * child processes, threads or native addons; lockdown.ts takes away the network and signals. It reads from its standard input, and writes
 * to descriptor 3.
 */
export function launchSandbox({ directory, heapMegabytesMax, processorSecondsMax, program = readerProgram }: LaunchOptions): ChildProcess {
  const own = realpathSync(directory);
  const options = [
    '--permission',
    ...new Set([...code, fileURLToPath(program), own].map((path) => `--allow-fs-read=${path}`)),
    `--allow-fs-write=${own}`,
    `--max-old-space-size=${heapMegabytesMax}`,
    '--max-semi-space-size=16',
    '--stack-size=3900',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
  ];
  const command = [process.execPath, ...options, entry, program.href];
  // The shell sets limits that Node cannot set, and becomes Node: no core dump, which would hold the document, an end for orphans, and a
  // low priority, so that requests are answered while documents are read.
  const limits = `ulimit -c 0; ulimit -t ${processorSecondsMax}; exec nice -n 10 "$@"`;
  const [file = '', ...args] = process.platform === 'win32' ? command : ['/bin/sh', '-c', limits, 'sh', ...command];
  return spawn(file, args, { cwd: own, env: {}, stdio: ['pipe', 'ignore', 'ignore', 'pipe'] });
}

export type SandboxedReader = { child: ChildProcess; source: Source; remove: () => Promise<void> };
export type Sandbox = ReturnType<typeof createSandbox>;

type SandboxOptions = { directory: string; heapMegabytesMax: number; processorSecondsMax: number };

/**
 * Gives each document a process of its own, which ends with it, so that nothing of one document can reach the next. From the first document on
 * one process more is started ahead and waits, because a start takes longer than reading a small file.
 */
export function createSandbox({ directory, heapMegabytesMax, processorSecondsMax }: SandboxOptions) {
  let spare: { child: ChildProcess; own: string } | undefined;

  const start = (heapMegabytes: number) => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const own = mkdtempSync(join(directory, 'r'));
    const child = launchSandbox({ directory: own, heapMegabytesMax: heapMegabytes, processorSecondsMax });
    // Writing to a process that has just ended; its end is noticed elsewhere.
    child.stdin?.on('error', () => {});
    child.on('error', () => {});
    return { child, own };
  };
  const takeSpare = () => {
    const taken = spare;
    spare = undefined;
    return taken && taken.child.exitCode === null && taken.child.signalCode === null && taken.child.pid !== undefined ? taken : undefined;
  };

  return {
    /** A process that waits for its task, and the document where it may read it. */
    async take({ path, bytes }: Source, heapMegabytes = heapMegabytesMax): Promise<SandboxedReader> {
      const isUsual = heapMegabytes === heapMegabytesMax;
      const { child, own } = (isUsual ? takeSpare() : undefined) ?? start(heapMegabytes);
      if (isUsual) spare ??= start(heapMegabytes);
      const remove = async () => {
        child.kill('SIGKILL');
        await rm(own, { recursive: true, force: true });
      };
      try {
        const given = join(own, 'document');
        // Some file systems have no links.
        await link(path, given).catch(() => copyFile(path, given, constants.COPYFILE_FICLONE));
        return { child, source: { path: given, bytes }, remove };
      } catch (fault) {
        await remove();
        throw fault;
      }
    },
    close() {
      spare?.child.kill('SIGKILL');
      spare = undefined;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
