import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './block.ts';
import { createReaderUsage } from './reader-usage.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
// Node checks both the requested path and the target of a symbolic link; node_modules may be a
// link.
const codePaths = ['..', '../../../node_modules', '../../../package.json']
  .map(pathOf)
  .flatMap((path) => [path, realpathSync(path)]);
const entry = fileURLToPath(new URL('./sandbox-entry.ts', import.meta.url));
const readerProgram = new URL('./reader-program.ts', import.meta.url);

// Readers have a low priority, so that requests are answered while documents are read.
const defaultNiceness = 10;
const dominantNiceness = 19;

type LaunchOptions = {
  /**
   * The only directory that the process may write to. Apart from the program's code, it is also the
   * only one that the process may read.
   */
  directory: string;
  heapMegabytesMax: number;
  /** A process whose parent was killed ends after this much processor time at the latest. */
  processorSecondsMax: number;
  /** The nice value: a process with a higher value gets less processor time. */
  niceness?: number;
  program?: URL;
};

/**
 * Starts a process without environment variables in Node's permission model: it can access only its
 * directory and the program's code, and no child processes, threads or native addons. lockdown.ts
 * removes the network and signals. The process reads standard input and writes to descriptor 3.
 */
export function launchSandbox({
  directory,
  heapMegabytesMax,
  processorSecondsMax,
  niceness = defaultNiceness,
  program = readerProgram,
}: LaunchOptions): ChildProcess {
  const ownDirectory = realpathSync(directory);
  const options = [
    '--permission',
    ...new Set(
      [...codePaths, fileURLToPath(program), ownDirectory].map((path) => `--allow-fs-read=${path}`),
    ),
    `--allow-fs-write=${ownDirectory}`,
    `--max-old-space-size=${heapMegabytesMax}`,
    '--max-semi-space-size=16',
    '--stack-size=3900',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
  ];
  const command = [process.execPath, ...options, entry, program.href];
  // The shell sets limits that Node cannot set, and then replaces itself by Node: no core dump,
  // which would contain the document; a limit of processor time for orphans; and a low priority, so
  // that requests are answered while documents are read.
  const limits = `ulimit -c 0; ulimit -t ${processorSecondsMax}; exec nice -n ${niceness} "$@"`;
  const [file = '', ...args] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', limits, 'sh', ...command];
  return spawn(file, args, {
    cwd: ownDirectory,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
}

export type SandboxedReader = {
  child: ChildProcess;
  source: SourceFile;
  /**
   * Call this after the document was read completely: the process may then read the next one of its
   * batch.
   */
  release: () => Promise<void>;
  terminate: () => Promise<void>;
};
export type Sandbox = ReturnType<typeof createSandbox>;

type SandboxOptions = { directory: string; heapMegabytesMax: number; processorSecondsMax: number };

type ReaderOptions = {
  heapMegabytes?: number | undefined;
  /**
   * Identifies documents that one sender has sent together. Only these may be read by the same
   * process, one after another.
   */
  batch?: string | undefined;
  /** Whose document it is. */
  tenant?: string | undefined;
};

type ReaderProcess = { child: ChildProcess; directory: string; startedAt: number };

/** Between two documents of a batch the API sends another request, which takes less than this. */
const idleMsMax = 2_000;
const idleProcessesMax = 4;
// A start takes about 0.3 s, so reuse beyond this time saves little. The limits of memory and
// processor time apply per process.
const batchMsMax = 10_000;

/**
 * Starts a separate process for each document and ends it afterwards, so that nothing of one
 * document can reach the next. Documents of one batch, which come from the same sender in the same
 * request, share processes, because a start takes a hundred times as long as reading a small file.
 * After the first document, one spare process is always started in advance. A tenant that sends most
 * of the documents while others send some as well starts processes of its own, with a lower
 * priority, and leaves the spare one to the others: under load a start takes seconds.
 */
export function createSandbox({
  directory,
  heapMegabytesMax,
  processorSecondsMax,
}: SandboxOptions) {
  let spareReader: ReaderProcess | undefined;
  const usage = createReaderUsage();
  const idle = new Map<ReaderProcess, { batch: string; timer: NodeJS.Timeout }>();

  const startReader = (heapMegabytes: number, niceness = defaultNiceness): ReaderProcess => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const ownDirectory = mkdtempSync(join(directory, 'r'));
    const child = launchSandbox({
      directory: ownDirectory,
      heapMegabytesMax: heapMegabytes,
      processorSecondsMax,
      niceness,
    });
    // Ignores errors of writing to a process that has just exited; its exit is handled elsewhere.
    child.stdin?.on('error', () => {});
    child.stdio[3]?.on('error', () => {});
    child.on('error', () => {});
    return { child, directory: ownDirectory, startedAt: performance.now() };
  };
  const endReader = async ({ child, directory }: ReaderProcess) => {
    child.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  };
  const takeSpareReader = () => {
    const reader = spareReader;
    spareReader = undefined;
    return reader && isRunning(reader.child) ? reader : undefined;
  };
  const endIdle = (reader: ReaderProcess) => {
    clearTimeout(idle.get(reader)?.timer);
    idle.delete(reader);
    void endReader(reader).catch(() => {});
  };
  const takeIdle = (batch: string) => {
    for (const [reader, idleEntry] of idle) {
      if (idleEntry.batch !== batch) continue;
      clearTimeout(idleEntry.timer);
      idle.delete(reader);
      if (isRunning(reader.child)) return reader;
      void endReader(reader).catch(() => {});
    }
    return undefined;
  };
  const keepIdle = (reader: ReaderProcess, batch: string) => {
    idle.set(reader, { batch, timer: setTimeout(endIdle, idleMsMax, reader).unref() });
    const [longestIdle] = idle.keys();
    if (idle.size > idleProcessesMax && longestIdle) endIdle(longestIdle);
  };

  return {
    /**
     * Returns a process that waits for its task, and the path of the document inside its directory.
     */
    async acquire(
      { path, bytes }: SourceFile,
      { heapMegabytes = heapMegabytesMax, batch, tenant = '' }: ReaderOptions = {},
    ): Promise<SandboxedReader> {
      const hasDefaultHeap = heapMegabytes === heapMegabytesMax;
      const idleReader = hasDefaultHeap && batch !== undefined ? takeIdle(batch) : undefined;
      const isDominant = usage.count(tenant);
      const reader =
        idleReader ??
        (hasDefaultHeap && !isDominant ? takeSpareReader() : undefined) ??
        startReader(heapMegabytes, isDominant ? dominantNiceness : defaultNiceness);
      if (hasDefaultHeap && !idleReader) spareReader ??= startReader(heapMegabytes);
      const documentPath = join(reader.directory, 'document');
      const terminate = () => endReader(reader);
      const release = async () => {
        if (
          !hasDefaultHeap ||
          batch === undefined ||
          !isRunning(reader.child) ||
          performance.now() - reader.startedAt > batchMsMax
        )
          return terminate();
        await rm(documentPath, { force: true });
        keepIdle(reader, batch);
      };
      try {
        // Falls back to a copy on file systems without hard links.
        await link(path, documentPath).catch(() =>
          copyFile(path, documentPath, constants.COPYFILE_FICLONE),
        );
        return { child: reader.child, source: { path: documentPath, bytes }, release, terminate };
      } catch (fault) {
        await terminate();
        throw fault;
      }
    },
    close() {
      for (const reader of [...idle.keys()]) endIdle(reader);
      spareReader?.child.kill('SIGKILL');
      spareReader = undefined;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const isRunning = ({ exitCode, signalCode, pid }: ChildProcess): boolean =>
  exitCode === null && signalCode === null && pid !== undefined;
