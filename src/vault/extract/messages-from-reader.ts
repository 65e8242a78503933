import type { Duplex } from 'node:stream';
import type { Log } from '../../platform/log.ts';
import type { Source } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { createFrameReader, frameOf } from './frames.ts';
import { watchMemory } from './process-memory.ts';
import { readerMessage } from './reader-message.ts';
import type { Sandbox } from './sandbox.ts';
import type { ReaderMessage, ReaderTask, ReadLimits, Task } from './worker-messages.ts';

// A small heap is for tests; an ordinary file needs some buffers even so.
const buffersMegabytesLeast = 64;
/** Node itself, its code and its compiler. */
const programMegabytes = 128;

type Work = {
  sandbox: Sandbox;
  source: Source;
  batch: string | undefined;
  limits: ReadLimits;
  task: Task;
  signal: AbortSignal | undefined;
  log: Pick<Log, 'warn'> | undefined;
};

/**
 * What a reader says of a document, from a process of its own. However reading ends, the process
 * and its directory are gone then; only one that has read its document to the end may stay for the
 * next one of its batch.
 */
export async function* messagesFromReader({
  sandbox,
  source,
  batch,
  limits,
  task,
  signal,
  log,
}: Work): AsyncGenerator<ReaderMessage> {
  signal?.throwIfAborted();
  const { busyMsMax, heapMegabytesMax, ...extractLimits } = limits;
  const reader = await sandbox.take(source, { heapMegabytes: heapMegabytesMax, batch });
  const { child } = reader;

  const arrived: ReaderMessage[] = [];
  let ended: { fault?: unknown } | undefined;
  let wake = () => {};
  const end = (fault?: unknown) => {
    ended ??= { fault };
    wake();
  };
  // Buffers lie outside the heap, where Node's limit does not count: a PDF of some kilobytes can
  // unpack to gigabytes of them.
  const megabytesMax =
    heapMegabytesMax + Math.max(heapMegabytesMax, buffersMegabytesLeast) + programMegabytes;
  const stopWatching = watchMemory(child.pid ?? 0, megabytesMax, () =>
    end(new ExtractError('OUT_OF_MEMORY')),
  );
  const clock = new Stopwatch(busyMsMax, () => end(new ExtractError('TOO_SLOW')));
  let credits = 1;
  const abort = () => end(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const take = createFrameReader((body) => {
    // A reader that was taken over may not fill our memory.
    if (credits <= 0) throw new RangeError('A message came that was not allowed');
    arrived.push(readerMessage.parse(JSON.parse(body.toString())));
    if (--credits <= 0) clock.pause();
    wake();
  });
  const output = child.stdio[3] as Duplex;
  const onData = (bytes: Buffer) => {
    try {
      take(bytes);
    } catch {
      log?.warn(
        { fault: 'message' },
        'A reader sent what no reader sends; the document counts as damaged',
      );
      end(new ExtractError('DAMAGED'));
    }
  };
  const onClose = (code: number | null, signalName: NodeJS.Signals | null) =>
    end(faultOfDeath(code, signalName, log));
  output.on('data', onData);
  // Its output may still hold messages when it ends: "close" comes after those.
  child.on('close', onClose);
  child.on('error', end);
  if (child.pid === undefined) end(new Error('No process could be started to read the document'));
  const work: ReaderTask = { source: reader.source, limits: extractLimits, task };
  child.stdin?.write(frameOf(work));

  clock.go();
  let isReadToEnd = false;
  try {
    for (;;) {
      const message = arrived.shift();
      if (message) {
        refuse(message, log);
        credits++;
        clock.go();
        child.stdin?.write(oneMore);
        isReadToEnd = message.type === 'end' && !ended;
        yield message;
        if (message.type === 'end') return;
      } else {
        if (ended) throw ended.fault;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    clock.pause();
    stopWatching();
    signal?.removeEventListener('abort', abort);
    output.off('data', onData);
    child.off('close', onClose);
    child.off('error', end);
    if (isReadToEnd) await reader.giveBack();
    else await reader.remove();
  }
}

/** Allows the reader one more message. */
const oneMore = Buffer.from('+');
/** Counts only the time in which it goes; calls once when that is used up. */
class Stopwatch {
  #left: number;
  #startedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #onEnd: () => void;

  constructor(milliseconds: number, onEnd: () => void) {
    this.#left = milliseconds;
    this.#onEnd = onEnd;
  }

  go(): void {
    if (this.#startedAt !== undefined) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onEnd, Math.max(0, this.#left));
  }

  pause(): void {
    if (this.#startedAt === undefined) return;
    this.#left -= performance.now() - this.#startedAt;
    this.#startedAt = undefined;
    clearTimeout(this.#timer);
  }
}

function refuse(message: ReaderMessage, log: Work['log']): void {
  if (message.type === 'refused') throw new ExtractError(message.code);
  // A disk or this process is at its limit: that is not the document's fault, and another try may
  // succeed.
  if (message.type === 'system')
    throw new Error(`The machine could not read the document: ${message.code}`);
  if (message.type !== 'unexpected') return;
  log?.warn(
    { fault: message.name },
    'A reader failed in a way it does not know; the document counts as damaged',
  );
  throw new ExtractError('DAMAGED');
}

function faultOfDeath(
  code: number | null,
  signal: NodeJS.Signals | null,
  log: Work['log'],
): ExtractError {
  // V8 aborts when its heap is full; the system kills the largest process when the machine's memory
  // is.
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGKILL')
    return new ExtractError('OUT_OF_MEMORY');
  if (signal === 'SIGXCPU') return new ExtractError('TOO_SLOW');
  log?.warn({ code, signal }, 'A reader died; the document counts as damaged');
  return new ExtractError('DAMAGED');
}
