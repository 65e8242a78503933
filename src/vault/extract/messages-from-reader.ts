import type { Log } from '../../platform/log.ts';
import type { SourceFile } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { createFrameReader, frameOf } from './frames.ts';
import { watchMemory } from './process-memory.ts';
import { readerMessage } from './reader-message.ts';
import type { Sandbox } from './sandbox.ts';
import type { ReaderMessage, ReaderRequest, ReaderTask, ReadLimits } from './worker-messages.ts';

// Small heaps occur only in tests; an ordinary file needs this many megabytes of buffers even then.
const buffersMegabytesMin = 64;
/** The memory of Node itself, its code and its compiler. */
const programMegabytes = 128;

type ReaderMessagesInput = {
  sandbox: Sandbox;
  source: SourceFile;
  batch?: string | undefined;
  tenant?: string | undefined;
  limits: ReadLimits;
  task: ReaderTask;
  signal?: AbortSignal | undefined;
  log?: Pick<Log, 'warn'> | undefined;
};

/**
 * Starts a reader process for a document and yields its messages. At the end the process and its
 * directory are removed, however reading ends. Only a process that has read its document completely
 * may be kept for the next document of its batch.
 */
export async function* messagesFromReader({
  sandbox,
  source,
  batch,
  tenant,
  limits,
  task,
  signal,
  log,
}: ReaderMessagesInput): AsyncGenerator<ReaderMessage> {
  signal?.throwIfAborted();
  const { busyMsMax, heapMegabytesMax, ...extractLimits } = limits;
  const reader = await sandbox.acquire(source, { heapMegabytes: heapMegabytesMax, batch, tenant });
  const { process } = reader;

  const messages: ReaderMessage[] = [];
  let outcome: { fault?: unknown } | undefined;
  let notify = () => {};
  const end = (fault?: unknown) => {
    outcome ??= { fault };
    notify();
  };
  // Buffers are outside the heap, where Node's heap limit does not apply: a PDF of some kilobytes
  // can unpack to gigabytes of buffers.
  const megabytesMax =
    heapMegabytesMax + Math.max(heapMegabytesMax, buffersMegabytesMin) + programMegabytes;
  const stopWatching = watchMemory(process.pid, megabytesMax, () =>
    end(new ExtractError('OUT_OF_MEMORY')),
  );
  const stopwatch = new Stopwatch(busyMsMax, () => end(new ExtractError('TOO_SLOW')));
  let allowedMessages = 1;
  const abort = () => end(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const readFrames = createFrameReader((body) => {
    // A compromised reader must not fill the memory of this process.
    if (allowedMessages <= 0)
      throw new RangeError('The reader sent a message that was not allowed');
    messages.push(readerMessage.parse(JSON.parse(body.toString())));
    if (--allowedMessages <= 0) stopwatch.pause();
    notify();
  });
  const onOutput = (bytes: Uint8Array) => {
    try {
      readFrames(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    } catch {
      log?.warn(
        { fault: 'message' },
        'A reader process sent an invalid message; the document counts as damaged',
      );
      end(new ExtractError('DAMAGED'));
    }
  };
  const onClosed = (code: number | null, exitSignal: NodeJS.Signals | null) =>
    end(faultOfExit(code, exitSignal, log));
  process.on('output', onOutput);
  process.on('closed', onClosed);
  process.on('failed', end);
  if (!process.isRunning) end(new Error('No process could be started to read the document'));
  const request: ReaderRequest = { source: reader.source, limits: extractLimits, task };
  process.write(frameOf(request));

  stopwatch.start();
  let isReadToEnd = false;
  try {
    for (;;) {
      const message = messages.shift();
      if (message) {
        throwIfFailed(message, log);
        allowedMessages++;
        stopwatch.start();
        process.write(creditForOneMessage);
        isReadToEnd = message.type === 'end' && !outcome;
        if (message.type === 'opened' && canHaveImages.test(message.mimeType))
          stopwatch.extend(limits.recognition?.msMax ?? 0);
        yield message;
        if (message.type === 'end') return;
      } else {
        if (outcome) throw outcome.fault;
        await new Promise<void>((resolve) => (notify = resolve));
      }
    }
  } finally {
    stopwatch.pause();
    stopWatching();
    signal?.removeEventListener('abort', abort);
    process.off('output', onOutput);
    process.off('closed', onClosed);
    process.off('failed', end);
    if (isReadToEnd) await reader.release();
    else await reader.terminate();
  }
}

/**
 * Kinds of files whose images are recognized. The reader stops that itself when its time is used up,
 * and then still returns the rest.
 */
const canHaveImages = /^(?:image\/|application\/pdf$|message\/rfc822$)/;
/** Allows the reader to send one more message. */
const creditForOneMessage = Buffer.from('+');
/** Measures only the time while it is running; calls `onEnd` once when the time is used up. */
class Stopwatch {
  #left: number;
  #startedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #onEnd: () => void;

  constructor(milliseconds: number, onEnd: () => void) {
    this.#left = milliseconds;
    this.#onEnd = onEnd;
  }

  start(): void {
    if (this.#startedAt !== undefined) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onEnd, Math.max(0, this.#left));
  }

  extend(milliseconds: number): void {
    const isRunning = this.#startedAt !== undefined;
    this.pause();
    this.#left += milliseconds;
    if (isRunning) this.start();
  }

  pause(): void {
    if (this.#startedAt === undefined) return;
    this.#left -= performance.now() - this.#startedAt;
    this.#startedAt = undefined;
    clearTimeout(this.#timer);
  }
}

function throwIfFailed(message: ReaderMessage, log: ReaderMessagesInput['log']): void {
  if (message.type === 'refused') throw new ExtractError(message.code);
  // The disk or this process has reached a limit. The document is not the cause, and a retry may
  // succeed.
  if (message.type === 'system')
    throw new Error(`The machine could not read the document: ${message.code}`);
  if (message.type !== 'unexpected') return;
  log?.warn(
    { fault: message.name },
    'A reader process failed unexpectedly; the document counts as damaged',
  );
  throw new ExtractError('DAMAGED');
}

function faultOfExit(
  code: number | null,
  signal: NodeJS.Signals | null,
  log: ReaderMessagesInput['log'],
): ExtractError {
  // V8 aborts when its heap is full. The kernel kills the largest process when the memory of the
  // machine is full.
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGKILL')
    return new ExtractError('OUT_OF_MEMORY');
  if (signal === 'SIGXCPU') return new ExtractError('TOO_SLOW');
  log?.warn(
    { code, signal },
    'A reader process exited unexpectedly; the document counts as damaged',
  );
  return new ExtractError('DAMAGED');
}
