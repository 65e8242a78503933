import type { Log } from '../../../platform/log.ts';
import { createMutex } from '../../../platform/mutex.ts';
import type { DocumentCatalog } from '../catalog.ts';
import type { ReadGate } from '../read-gate.ts';
import { removeGeneration } from './passage-tables.ts';
import type { StoredGeneration } from './registry.ts';
import type { Space } from './spaces.ts';
import type { Transactions } from './transactions.ts';

const failed =
  'removing the passages of deleted documents failed; the next start of the vector database tries again';

type RemovalDependencies = {
  transactions: Transactions;
  catalog: DocumentCatalog;
  readers: ReadGate;
  log: Log;
};

export type Removals = ReturnType<typeof createRemovals>;

/** Removes the passages of dead generations in the background, in steps between which others write. */
export function createRemovals({ transactions, catalog, readers, log }: RemovalDependencies) {
  /** By key of the space: generations with passages that no search may see. */
  const hidden = new Map<string, Set<number>>();
  const withLock = createMutex();
  let isClosing = false;

  const hiddenIn = (key: string): Set<number> => {
    const existing = hidden.get(key) ?? new Set<number>();
    hidden.set(key, existing);
    return existing;
  };
  const remove = async (key: string, space: Space, generation: number) => {
    await readers.drain();
    const removed = await removeGeneration(transactions, space, generation, () => isClosing);
    if (!removed) return;
    space.passages -= removed.passages;
    space.words -= removed.words;
    hiddenIn(key).delete(generation);
    catalog.forget(generation);
  };
  /** Hides a generation now and removes its passages once the searches that may see it have ended. */
  const removeLater = (key: string, space: Space | undefined, generation: number) => {
    if (!space) return;
    hiddenIn(key).add(generation);
    void withLock(async () => {
      if (!isClosing) await remove(key, space, generation);
    }).catch((error: unknown) => {
      if (!isClosing) log.warn({ err: error }, failed);
    });
  };

  return {
    hiddenIn,
    removeLater,
    /** Hides and removes what a killed process left. */
    cleanUpAfterStart(generations: readonly StoredGeneration[]): void {
      for (const { number, key, space } of generations)
        if (catalog.documentOf(number) === undefined) removeLater(key, space, number);
    },
    settled: (): Promise<void> => withLock(async () => undefined),
    async close(): Promise<void> {
      isClosing = true;
      await withLock(async () => undefined);
    },
  };
}
