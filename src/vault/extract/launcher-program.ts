import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { getPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

// Starts reader processes for the vault, and passes on what they read and write. To start a process,
// the system copies the memory map of its parent. For a vault with hundreds of megabytes that stops
// all of its threads for 40 to 250 ms for each document; this program is small and stays so. Only
// reader-launcher.ts starts it.

export type LaunchOptions = {
  /**
   * The only directory that the process may write to. Apart from the program's code, it is also the
   * only one that the process may read.
   */
  directory: string;
  heapMegabytesMax: number;
  /** A process whose parent was killed ends after this much processor time at the latest. */
  processorSecondsMax: number;
  /**
   * The nice value: a process with a higher value gets less processor time. It is at least that of
   * this program.
   */
  niceness: number;
  /** The address of the program's file. */
  program: string;
};

export type LauncherRequest =
  | { type: 'start'; id: number; options: LaunchOptions }
  | { type: 'input'; id: number; bytes: Uint8Array }
  | { type: 'kill'; id: number; signal: NodeJS.Signals };

export type LauncherEvent =
  | { type: 'started'; id: number; pid: number }
  | { type: 'output'; id: number; bytes: Uint8Array }
  | { type: 'closed'; id: number; code: number | null; signal: NodeJS.Signals | null }
  | { type: 'failed'; id: number; message: string };

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
// Node checks both the requested path and the target of a symbolic link; node_modules may be a
// link.
const codePaths = [
  './generated/reader',
  '../../platform/language/word-vectors.bin',
  '../../../node_modules/tesseract.js-core',
  '../../../node_modules/@tesseract.js-data',
  '../../../package.json',
]
  .map(pathOf)
  .flatMap((path) => [path, realpathSync(path)]);
const entry = pathOf('./generated/reader/sandbox-entry.mjs');

/**
 * Starts a process without environment variables in Node's permission model: it can access only its
 * directory and the program's code, and no child processes, threads or native addons. lockdown.ts
 * removes the network and signals. The process reads standard input and writes to descriptor 3.
 */
function launch({
  directory,
  heapMegabytesMax,
  processorSecondsMax,
  niceness,
  program,
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
  const command = [process.execPath, ...options, entry, program];
  // The shell sets limits that Node cannot set, and then replaces itself by Node: no core dump,
  // which would contain the document; a limit of processor time for orphans; and a low priority, so
  // that requests are answered while documents are read. `nice` adds to the value of this program.
  const increment = Math.max(0, niceness - getPriority());
  const limits = `ulimit -c 0; ulimit -t ${processorSecondsMax}; exec nice -n ${increment} "$@"`;
  const [file = '', ...args] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', limits, 'sh', ...command];
  return spawn(file, args, {
    cwd: ownDirectory,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
}

const processes = new Map<number, ChildProcess>();
// The channel is closed when the parent has ended; then this program ends as well.
const send = (event: LauncherEvent) => {
  if (process.connected) process.send?.(event);
};

function start(id: number, options: LaunchOptions): void {
  const child = launch(options);
  processes.set(id, child);
  // Ignores errors of writing to a process that has just exited; its exit is reported.
  child.stdin?.on('error', () => {});
  const output = child.stdio[3] as Readable;
  output.on('error', () => {});
  output.on('data', (bytes: Buffer) => send({ type: 'output', id, bytes }));
  child.on('error', ({ message }) => send({ type: 'failed', id, message }));
  // The pipe may still contain output when the process exits; "close" comes after it.
  child.on('close', (code, signal) => {
    processes.delete(id);
    send({ type: 'closed', id, code, signal });
  });
  if (child.pid !== undefined) send({ type: 'started', id, pid: child.pid });
}

process.on('message', (request: LauncherRequest) => {
  const { id } = request;
  if (request.type === 'input') processes.get(id)?.stdin?.write(request.bytes);
  else if (request.type === 'kill') processes.get(id)?.kill(request.signal);
  else
    try {
      start(id, request.options);
    } catch (error) {
      send({ type: 'failed', id, message: String(error) });
    }
});
process.on('disconnect', () => {
  for (const child of processes.values()) child.kill('SIGKILL');
  process.exit();
});
// A terminal sends these to all processes of the program, and the parent still needs this one while
// it stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
