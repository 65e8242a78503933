import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lowerProcessPriority, niceValues } from '../../platform/thread-priority.ts';
import type { SourceFile } from './block.ts';
import { createReaderLauncher, type ReaderProcess } from './reader-launcher.ts';
import { createReaderUsage } from './reader-usage.ts';

export type SandboxedReader = {
  process: ReaderProcess;
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

/** Between two documents of a batch the API sends another request, which takes less than this. */
const idleMsMax = 2_000;
const idleProcessesMax = 4;
// A start takes about 0.1 s, so reuse beyond this time saves little. The limits of memory and
// processor time apply per process.
const batchMsMax = 10_000;
// Somebody waits for a short document. A long one takes minutes whatever its priority is, and must
// not delay requests for so long.
const shortDocumentMsMax = 1_000;

/**
 * Starts a separate process for each document and ends it afterwards, so that nothing of one
 * document can reach the next. Documents of one batch, which come from the same sender in the same
 * request, share processes, because a start takes far longer than reading a small file.
 * After the first document, one spare process is always started in advance. A tenant that uses the
 * readers much more than others starts processes of its own with the lowest priority, and leaves the
 * spare one to the others: under load a start takes seconds. A document that takes long loses
 * priority as well.
 */
export function createSandbox({
  directory,
  heapMegabytesMax,
  processorSecondsMax,
}: SandboxOptions) {
  const launcher = createReaderLauncher();
  let spareReader: ReaderProcess | undefined;
  const usage = createReaderUsage();
  const idle = new Map<ReaderProcess, { batch: string; timer: NodeJS.Timeout }>();

  const startReader = (heapMegabytes: number, niceness = niceValues.part): ReaderProcess => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return launcher.launch({
      directory: mkdtempSync(join(directory, 'r')),
      heapMegabytesMax: heapMegabytes,
      processorSecondsMax,
      niceness,
    });
  };
  const endReader = async (reader: ReaderProcess) => {
    reader.kill();
    await rm(reader.directory, { recursive: true, force: true });
  };
  const takeSpareReader = () => {
    const reader = spareReader;
    spareReader = undefined;
    return reader?.isRunning ? reader : undefined;
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
      if (reader.isRunning) return reader;
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
      const { isHeavy, end: endUsage } = usage.begin(tenant);
      const reader =
        idleReader ??
        (hasDefaultHeap && !isHeavy ? takeSpareReader() : undefined) ??
        startReader(heapMegabytes, isHeavy ? niceValues.last : niceValues.part);
      if (hasDefaultHeap && !idleReader) spareReader ??= startReader(heapMegabytes);
      const documentPath = join(reader.directory, 'document');
      const lowering = setTimeout(() => lowerProcessPriority(reader.pid), shortDocumentMsMax);
      lowering.unref();
      const end = () => {
        clearTimeout(lowering);
        endUsage();
      };
      const terminate = () => {
        end();
        return endReader(reader);
      };
      const release = async () => {
        end();
        if (
          !hasDefaultHeap ||
          batch === undefined ||
          !reader.isRunning ||
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
        await reader.started;
        return { process: reader, source: { path: documentPath, bytes }, release, terminate };
      } catch (fault) {
        await terminate();
        throw fault;
      }
    },
    close() {
      for (const reader of [...idle.keys()]) endIdle(reader);
      spareReader = undefined;
      launcher.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
