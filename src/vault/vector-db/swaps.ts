import { AppError } from '../../platform/errors.ts';
import { createMutex } from '../../platform/mutex.ts';
import type { DocumentCatalog, DocumentRecord } from './catalog.ts';
import type { DocumentWrite } from './passage-store.ts';

type SwapDependencies = {
  catalog: DocumentCatalog;
  /** Stores a change of a collection, completely or not at all. */
  store: (
    collection: string,
    added: readonly DocumentRecord[],
    removedDocuments: readonly string[],
  ) => Promise<unknown>;
  /** Called in the step in which searches begin to see the generation of a record. */
  onLive: (record: DocumentRecord) => void;
  /** Called in the step in which searches no longer see it. */
  onDead: (record: DocumentRecord) => void;
};

/**
 * Makes documents live and dead, one change after the other: first in the storage, then in memory in
 * one synchronous step. Each change returns the records that it has made dead.
 */
export function createSwaps({ catalog, store, onLive, onDead }: SwapDependencies) {
  const withLock = createMutex();
  const documentsIn = (collection: string) => catalog.collections.get(collection)?.documents;
  const commit = async (
    collection: string,
    added: readonly DocumentRecord[],
    removedDocuments: readonly string[],
  ): Promise<DocumentRecord[]> => {
    await store(collection, added, removedDocuments);
    const documents = documentsIn(collection);
    const dead = [...added.map(({ document }) => document), ...removedDocuments].flatMap(
      (document) => documents?.get(document) ?? [],
    );
    for (const record of dead) {
      catalog.remove(record);
      onDead(record);
    }
    for (const record of added) {
      onLive(record);
      catalog.add(record);
    }
    return dead;
  };

  return {
    /** Runs work while no other change is made. Within it, `commit` makes one. */
    withLock,
    commit,
    /** Makes a document live in place of its earlier version and of the one that it replaces. */
    publish: (
      { collection, document, replaces, ifGeneration }: DocumentWrite,
      record: DocumentRecord,
    ): Promise<DocumentRecord[]> =>
      withLock(async () => {
        const live = documentsIn(collection)?.get(document);
        if (ifGeneration !== undefined && live?.written !== ifGeneration)
          throw new AppError('PRECONDITION_FAILED', 'The document has changed since');
        const removed = replaces === undefined || replaces === document ? [] : [replaces];
        return commit(collection, [record], removed);
      }),
    /** Removes the named documents, or all documents of the collection. */
    remove: (collection: string, names?: readonly string[]): Promise<DocumentRecord[]> =>
      withLock(async () => {
        const documents = documentsIn(collection);
        const existing = (names ?? [...(documents?.keys() ?? [])]).filter((name) =>
          documents?.has(name),
        );
        return existing.length === 0 ? [] : commit(collection, [], existing);
      }),
  };
}

export type Swaps = ReturnType<typeof createSwaps>;
