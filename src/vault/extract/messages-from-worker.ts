import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../platform/log.ts';
import type { Source } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { partsPathOf } from './parts-path.ts';
import type { ReadLimits, Task, WorkerData, WorkerMessage } from './worker-messages.ts';

// A small heap is for tests; a usual file needs some buffers even so.
const buffersMegabytesLeast = 64;
const lookAtBuffersEveryMs = 50;

type Work = { source: Source; limits: ReadLimits; task: Task; signal: AbortSignal | undefined; log: Pick<Log, 'warn'> | undefined };

/**
 * What a worker says of a document. A fresh thread for each: nothing of one document can reach the next, and its memory is
 * given back with it. The thread sees no environment, and what libraries print in it is thrown away: it may quote the document.
 */
export async function* messagesFromWorker({ source, limits, task, signal, log }: Work): AsyncGenerator<WorkerMessage> {
  signal?.throwIfAborted();
  const { busyMsMax, heapMegabytesMax, ...extractLimits } = limits;
  const data: WorkerData = { source, limits: extractLimits, task };
  const worker = new Worker(new URL('./extract-worker.ts', import.meta.url), {
    workerData: data,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  worker.stdout.resume();
  worker.stderr.resume();

  const arrived: WorkerMessage[] = [];
  let ended: { fault?: unknown } | undefined;
  let wake = () => {};
  const end = (fault?: unknown) => {
    ended ??= { fault };
    wake();
  };
  // Buffers lie outside the heap, where no limit of Node's holds: a PDF of some kilobytes can unpack to gigabytes of them.
  const buffersBytesMax = Math.max(heapMegabytesMax, buffersMegabytesLeast) * 1_048_576;
  const watch = setInterval(() => {
    worker.getHeapStatistics().then(
      ({ external_memory: bytes }) => (bytes > buffersBytesMax ? end(new ExtractError('OUT_OF_MEMORY')) : undefined),
      // It has just ended.
      () => undefined,
    );
  }, lookAtBuffersEveryMs);
  const clock = new Stopwatch(busyMsMax, () => end(new ExtractError('TOO_SLOW')));
  let credits = 1;
  const abort = () => end(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  worker.on('message', (message: WorkerMessage) => {
    arrived.push(message);
    if (--credits <= 0) clock.pause();
    wake();
  });
  worker.on('error', (fault) => end(faultOfDeath(fault, log)));
  worker.on('exit', () => end(new ExtractError('DAMAGED')));

  clock.go();
  try {
    for (;;) {
      const message = arrived.shift();
      if (message) {
        refuse(message, log);
        credits++;
        clock.go();
        worker.postMessage('more');
        yield message;
        if (message.type === 'end') return;
      } else {
        if (ended) throw ended.fault;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    clock.pause();
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
    await rm(partsPathOf(source), { recursive: true, force: true });
  }
}

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

function refuse(message: WorkerMessage, log: Work['log']): void {
  if (message.type === 'refused') throw new ExtractError(message.code);
  // A disk or this process is at its limit: that is not the document's fault, and another try may succeed.
  if (message.type === 'system') throw new Error(`The machine could not read the document: ${message.code}`);
  if (message.type !== 'unexpected') return;
  log?.warn({ fault: message.name }, 'A reader failed in a way it does not know; the document counts as damaged');
  throw new ExtractError('DAMAGED');
}

function faultOfDeath(fault: unknown, log: Work['log']): ExtractError {
  if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY') return new ExtractError('OUT_OF_MEMORY');
  // Its message may quote the document, so only its name is kept.
  log?.warn({ fault: fault instanceof Error ? fault.name : typeof fault }, 'A reader died; the document counts as damaged');
  return new ExtractError('DAMAGED');
}
