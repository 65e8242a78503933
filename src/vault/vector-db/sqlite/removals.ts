import type { Log } from '../../../platform/log.ts';
import { createMutex } from '../../../platform/mutex.ts';
import { type DocumentCatalog, type PartitionKey, tableName, tablePrefix } from '../catalog.ts';
import type { Generations } from '../generations.ts';
import type { ReadGate } from '../read-gate.ts';
import type { Threads } from './threads.ts';

const fileSuffix = '.sqlite';
/** Words of removed passages leave the index this long after the last removal. */
const mergeDelayMs = 5_000;
const failed =
  'removing the passages of deleted documents failed; the next start of the vector database tries again';

export const fileNameOf = (key: PartitionKey): string => `${tableName(key)}${fileSuffix}`;

export const isPassageFile = (name: string): boolean =>
  name.startsWith(tablePrefix) && name.endsWith(fileSuffix);

type RemovalDependencies = {
  threads: Threads;
  catalog: DocumentCatalog;
  readers: ReadGate;
  generations: Generations;
  log: Log;
};

export type Removals = ReturnType<typeof createRemovals>;

/** Removes the passages of dead generations in the background, in steps between which others write. */
export function createRemovals({
  threads,
  catalog,
  readers,
  generations,
  log,
}: RemovalDependencies) {
  /** By file: generations with passages that no search may see. */
  const hidden = new Map<string, Set<number>>();
  /** By file: how often passages have been removed. */
  const counts = new Map<string, number>();
  const unmerged = new Set<string>();
  /** Files of earlier processes that may contain passages of no document. */
  const unchecked = new Set<string>();
  const lastOfBefore = generations.last();
  const withLock = createMutex();
  let mergeTimer: NodeJS.Timeout | undefined;
  let isClosing = false;

  const hiddenIn = (file: string): Set<number> => {
    const existing = hidden.get(file) ?? new Set<number>();
    hidden.set(file, existing);
    return existing;
  };
  const runInBackground = (work: () => Promise<unknown>) => {
    void withLock(async () => {
      if (!isClosing) await work();
    }).catch((error: unknown) => log.warn({ err: error }, failed));
  };

  const removeGeneration = async (file: string, generation: number) => {
    while (!isClosing && !(await threads.write('remove', file, generation)));
    if (isClosing) return;
    counts.set(file, (counts.get(file) ?? 0) + 1);
    hiddenIn(file).delete(generation);
    catalog.forget(generation);
    unmerged.add(file);
    mergeTimer ??= setTimeout(() => runInBackground(mergeAll), mergeDelayMs).unref();
  };
  const mergeAll = async () => {
    clearTimeout(mergeTimer);
    mergeTimer = undefined;
    for (const file of unmerged) {
      unmerged.delete(file);
      let isFirst = true;
      while (!isClosing && !(await threads.write('merge', file, isFirst))) isFirst = false;
    }
  };
  /** Hides a generation now and removes its passages once the searches that may see it have ended. */
  const removeLater = (file: string, generation: number) => {
    hiddenIn(file).add(generation);
    runInBackground(async () => {
      await readers.drain();
      await removeGeneration(file, generation);
    });
  };
  const settled = async () => {
    // The work before may have scheduled more work.
    await withLock(async () => undefined);
    await withLock(mergeAll);
  };

  const removals = {
    hiddenIn,
    countIn: (file: string): number => counts.get(file) ?? 0,
    removeLater,
    settled,
    /**
     * Hides what a killed process left in a file, before the first search of the file, and removes
     * it in the background.
     */
    async check(file: string): Promise<void> {
      if (!unchecked.has(file)) return;
      const versions = await threads.read('versions', file);
      if (!unchecked.delete(file)) return;
      for (const version of versions)
        if (version <= lastOfBefore && catalog.documentOf(version) === undefined)
          removeLater(file, version);
    },
    /** Checks all files of earlier processes in the background, and deletes those without documents. */
    cleanUpAfterStart(names: readonly string[]) {
      for (const file of names) if (isPassageFile(file)) unchecked.add(file);
      const live = new Set(
        [...catalog.collections.values()].flatMap(({ partitions }) =>
          [...partitions.values()].map(fileNameOf),
        ),
      );
      runInBackground(async () => {
        for (const file of [...unchecked]) {
          if (live.has(file) || hiddenIn(file).size > 0) {
            await removals.check(file);
            unmerged.add(file);
          } else {
            unchecked.delete(file);
            await threads.write('deleteFile', file);
          }
        }
        await mergeAll();
      });
    },
    async close(): Promise<void> {
      isClosing = true;
      clearTimeout(mergeTimer);
      await withLock(async () => undefined);
    },
  };
  return removals;
}
