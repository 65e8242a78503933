import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LauncherEvent, LauncherRequest, LaunchOptions } from './launcher-program.ts';

const program = fileURLToPath(new URL('./launcher-program.ts', import.meta.url));
const readerProgram = new URL('./generated/reader/reader-program.mjs', import.meta.url);

type ReaderEvents = {
  output: [bytes: Uint8Array];
  closed: [code: number | null, signal: NodeJS.Signals | null];
  failed: [error: Error];
};

type SendRequest = (request: LauncherRequest) => void;

/** A process that reads documents. */
export class ReaderProcess extends EventEmitter<ReaderEvents> {
  /** 0 until the process has started. */
  pid = 0;
  isRunning = true;
  readonly directory: string;
  readonly startedAt = performance.now();
  /** Resolves when the process has started, or could not be started. */
  readonly started: Promise<void>;
  readonly #id: number;
  readonly #send: SendRequest;
  readonly #resolveStarted: () => void;

  constructor(id: number, directory: string, send: SendRequest) {
    super();
    this.directory = directory;
    this.#id = id;
    this.#send = send;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.started = promise;
    this.#resolveStarted = resolve;
  }

  write(bytes: Uint8Array): void {
    this.#send({ type: 'input', id: this.#id, bytes });
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#send({ type: 'kill', id: this.#id, signal });
  }

  handle(event: LauncherEvent): void {
    if (event.type === 'output') {
      this.emit('output', event.bytes);
      return;
    }
    if (event.type === 'started') this.pid = event.pid;
    else this.isRunning = false;
    this.#resolveStarted();
    if (event.type === 'closed') this.emit('closed', event.code, event.signal);
    if (event.type === 'failed') this.emit('failed', new Error(event.message));
  }
}

/**
 * Starts reader processes through one small process, the launcher, so that a start does not stop
 * this process. A launcher that has ended is replaced at the next start.
 */
export function createReaderLauncher() {
  if (!existsSync(readerProgram))
    throw new Error('The reader of documents is not built: run npm run build');
  const readers = new Map<number, ReaderProcess>();
  let launcher: ChildProcess | undefined = startLauncher();
  let lastId = 0;

  function startLauncher(): ChildProcess {
    const child = fork(program, [], {
      env: {},
      execArgv: ['--max-old-space-size=64', '--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (event: LauncherEvent) => handle(event));
    child.on('error', () => {});
    child.once('exit', () => {
      if (launcher !== child) return;
      launcher = undefined;
      for (const id of [...readers.keys()])
        handle({ type: 'failed', id, message: 'The launcher of reader processes has ended' });
    });
    // It ends with this process, and does not keep it alive.
    child.unref();
    child.channel?.unref();
    return child;
  }

  function handle(event: LauncherEvent): void {
    const reader = readers.get(event.id);
    if (event.type === 'closed' || event.type === 'failed') readers.delete(event.id);
    reader?.handle(event);
  }

  return {
    launch({
      program: programAddress = readerProgram.href,
      ...options
    }: Omit<LaunchOptions, 'program'> & Partial<LaunchOptions>): ReaderProcess {
      launcher ??= startLauncher();
      const id = ++lastId;
      const target = launcher;
      const send = (request: LauncherRequest) => {
        if (target.connected) target.send(request, () => {});
      };
      const reader = new ReaderProcess(id, options.directory, send);
      readers.set(id, reader);
      send({ type: 'start', id, options: { ...options, program: programAddress } });
      return reader;
    },
    /** Ends all readers. */
    close() {
      launcher?.disconnect();
      launcher = undefined;
    },
  };
}
