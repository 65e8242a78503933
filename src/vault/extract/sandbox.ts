import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Source } from './block.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
// Node checks the path that is asked for and the one behind a link: node_modules may be one.
const code = ['..', '../../../node_modules', '../../../package.json']
  .map(pathOf)
  .flatMap((path) => [path, realpathSync(path)]);
const entry = fileURLToPath(new URL('./sandbox-entry.ts', import.meta.url));
const readerProgram = new URL('./reader-program.ts', import.meta.url);

type LaunchOptions = {
  /**
   * The only directory that the process may write to, and besides the program's own code the only
   * one that it may read.
   */
  directory: string;
  heapMegabytesMax: number;
  /** A process whose parent was killed ends after this much work at the latest. */
  processorSecondsMax: number;
  program?: URL;
};

/**
 * Starts a process without an environment in Node's permission model: no files but its own
 * directory and the program's code, no child processes, threads or native addons; lockdown.ts takes
 * away the network and signals. It reads from its standard input, and writes to descriptor 3.
 */
export function launchSandbox({
  directory,
  heapMegabytesMax,
  processorSecondsMax,
  program = readerProgram,
}: LaunchOptions): ChildProcess {
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
  // The shell sets limits that Node cannot set, and becomes Node: no core dump, which would hold
  // the document, an end for orphans, and a low priority, so that requests are answered while
  // documents are read.
  const limits = `ulimit -c 0; ulimit -t ${processorSecondsMax}; exec nice -n 10 "$@"`;
  const [file = '', ...args] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', limits, 'sh', ...command];
  return spawn(file, args, { cwd: own, env: {}, stdio: ['pipe', 'ignore', 'ignore', 'pipe'] });
}

export type SandboxedReader = {
  child: ChildProcess;
  source: Source;
  /** It has read its document to the end: within its batch it may read the next one. */
  giveBack: () => Promise<void>;
  remove: () => Promise<void>;
};
export type Sandbox = ReturnType<typeof createSandbox>;

type SandboxOptions = { directory: string; heapMegabytesMax: number; processorSecondsMax: number };

type TakeOptions = {
  heapMegabytes?: number | undefined;
  /**
   * Names documents that one sender has sent together. Only these may be read by the same process,
   * one after another.
   */
  batch?: string | undefined;
};

type ReaderProcess = { child: ChildProcess; own: string; startedAt: number };

/** Between two documents of a batch lies a request of the API. */
const idleMsMax = 2_000;
const idleProcessesMax = 4;
// A start takes about 0.3 s: longer use saves little, and the limits of memory and processor time
// count per process.
const batchMsMax = 10_000;

/**
 * Gives each document a process of its own, which ends with it, so that nothing of one document can
 * reach the next. Documents of one batch, which come from the same sender in the same request,
 * share processes: a start takes a hundred times as long as reading a small file. From the first
 * document on one process more is started ahead and waits.
 */
export function createSandbox({
  directory,
  heapMegabytesMax,
  processorSecondsMax,
}: SandboxOptions) {
  let spare: ReaderProcess | undefined;
  const idle = new Map<ReaderProcess, { batch: string; timer: NodeJS.Timeout }>();

  const start = (heapMegabytes: number): ReaderProcess => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const own = mkdtempSync(join(directory, 'r'));
    const child = launchSandbox({
      directory: own,
      heapMegabytesMax: heapMegabytes,
      processorSecondsMax,
    });
    // Writing to a process that has just ended; its end is noticed elsewhere.
    child.stdin?.on('error', () => {});
    child.stdio[3]?.on('error', () => {});
    child.on('error', () => {});
    return { child, own, startedAt: performance.now() };
  };
  const end = async ({ child, own }: ReaderProcess) => {
    child.kill('SIGKILL');
    await rm(own, { recursive: true, force: true });
  };
  const takeSpare = () => {
    const taken = spare;
    spare = undefined;
    return taken && isRunning(taken.child) ? taken : undefined;
  };
  const endIdle = (reader: ReaderProcess) => {
    clearTimeout(idle.get(reader)?.timer);
    idle.delete(reader);
    void end(reader).catch(() => {});
  };
  const takeIdle = (batch: string) => {
    for (const [reader, waiting] of idle) {
      if (waiting.batch !== batch) continue;
      clearTimeout(waiting.timer);
      idle.delete(reader);
      if (isRunning(reader.child)) return reader;
      void end(reader).catch(() => {});
    }
    return undefined;
  };
  const keepIdle = (reader: ReaderProcess, batch: string) => {
    idle.set(reader, { batch, timer: setTimeout(endIdle, idleMsMax, reader).unref() });
    const [longestIdle] = idle.keys();
    if (idle.size > idleProcessesMax && longestIdle) endIdle(longestIdle);
  };

  return {
    /** A process that waits for its task, and the document where it may read it. */
    async take(
      { path, bytes }: Source,
      { heapMegabytes = heapMegabytesMax, batch }: TakeOptions = {},
    ): Promise<SandboxedReader> {
      const isUsual = heapMegabytes === heapMegabytesMax;
      const known = isUsual && batch !== undefined ? takeIdle(batch) : undefined;
      const reader = known ?? (isUsual ? takeSpare() : undefined) ?? start(heapMegabytes);
      if (isUsual && !known) spare ??= start(heapMegabytes);
      const given = join(reader.own, 'document');
      const remove = () => end(reader);
      const giveBack = async () => {
        if (
          !isUsual ||
          batch === undefined ||
          !isRunning(reader.child) ||
          performance.now() - reader.startedAt > batchMsMax
        )
          return remove();
        await rm(given, { force: true });
        keepIdle(reader, batch);
      };
      try {
        // Some file systems have no links.
        await link(path, given).catch(() => copyFile(path, given, constants.COPYFILE_FICLONE));
        return { child: reader.child, source: { path: given, bytes }, giveBack, remove };
      } catch (fault) {
        await remove();
        throw fault;
      }
    },
    close() {
      for (const reader of [...idle.keys()]) endIdle(reader);
      spare?.child.kill('SIGKILL');
      spare = undefined;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const isRunning = ({ exitCode, signalCode, pid }: ChildProcess): boolean =>
  exitCode === null && signalCode === null && pid !== undefined;
