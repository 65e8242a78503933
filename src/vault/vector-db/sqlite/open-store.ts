import { mkdirSync, readdirSync } from 'node:fs';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { createCatalog, type DocumentRecord, documentIn } from '../catalog.ts';
import { createGenerations } from '../generations.ts';
import { lockVectors } from '../lock-vectors.ts';
import type { DocumentWrite, PassageBatches, PassageStore } from '../passage-store.ts';
import { createMutex, createReadGate } from '../read-gate.ts';
import { fileNameIn } from '../words.ts';
import { createRemovals, fileNameOf } from './removals.ts';
import { searchCollection } from './search.ts';
import { startThreads } from './threads.ts';
import { upgradeFiles } from './upgrade-files.ts';

// The live documents of all collections stand in one SQLite file, the registry. The passages of a
// collection stand in a file of its own, so that the index of one does not slow down another. This
// is why a reader still sees a document completely or not at all, and always exactly one version:
// - Each write of a document has a number, its generation, and its passages have ids in the range of
//   that number. One transaction of the registry makes the new generation live and the replaced ones
//   dead. Passages written before it belong to no document until then, and the replaced passages to
//   none afterwards, wherever the process is killed.
// - This process is the only writer, so its memory mirrors the registry. A search decides in one
//   synchronous step which generations it sees.
// - Passages of dead generations are removed only after the searches that began before their death.
// - A kill can leave passages that belong to no document. No later generation gets their number.
//   They are removed after the next start, and hidden until then.

type StoreOptions = { location: string; cacheMb: number; clock: Clock; log: Log };

/** Passages are added in transactions of this many, so that other writes wait little. */
const passagesPerTransaction = 250;

/** Opens a store whose files are in a directory of this machine. */
export async function openSqliteStore({
  location,
  cacheMb,
  clock,
  log,
}: StoreOptions): Promise<PassageStore> {
  mkdirSync(location, { recursive: true });
  const unlock = lockVectors(location);
  const threads = startThreads(location, cacheMb, log);
  const stored = await threads.write('documents').catch(async (error: unknown) => {
    await threads.close().catch(() => undefined);
    unlock();
    throw error;
  });
  await upgradeFiles(threads, readdirSync(location), stored, log);
  const catalog = createCatalog(
    stored.map((document) => ({ ...document, isRecent: false, written: document.generation })),
  );
  const generations = await createGenerations((count) =>
    threads.write('reserveGenerations', count),
  );
  const readers = createReadGate();
  const writers = createReadGate();
  const withSwapLock = createMutex();
  const removals = createRemovals({ threads, catalog, readers, generations, log });
  let isClosing = false;
  removals.cleanUpAfterStart(readdirSync(location));

  /** The registry's transaction first, then one synchronous step. */
  const commitSwap = async (
    collection: string,
    added: readonly DocumentRecord[],
    removedDocuments: readonly string[],
  ): Promise<DocumentRecord[]> => {
    await threads.write('commit', [
      ...removedDocuments.map((document) => ({ collection, document, isRemoved: true }) as const),
      ...added.map(({ isRecent: _, written: __, ...document }) => document),
    ]);
    const documents = catalog.collections.get(collection)?.documents;
    const dead = [...added.map(({ document }) => document), ...removedDocuments].flatMap(
      (document) => documents?.get(document) ?? [],
    );
    for (const record of dead) catalog.remove(record);
    for (const record of added) {
      removals.hiddenIn(fileNameOf(record)).delete(record.generation);
      catalog.add(record);
    }
    for (const record of dead) removals.removeLater(fileNameOf(record), record.generation);
    return dead;
  };

  const put = async (write: DocumentWrite, batches: PassageBatches): Promise<DocumentRecord> => {
    const { replaces, ifGeneration, ...document } = write;
    const file = fileNameOf({ ...document, isRecent: false });
    let generation: number | undefined;
    let passages = 0;
    try {
      generation = await generations.next((next) => removals.hiddenIn(file).add(next));
      const facts = await addBatches(generation, batches);
      const record = {
        ...document,
        isRecent: false,
        facts: { ...document.facts, ...facts },
        generation,
        written: generation,
        passages,
        updatedAt: clock().toISOString(),
      };
      await withSwapLock(async () => {
        const live = catalog.collections.get(write.collection)?.documents.get(write.document);
        if (ifGeneration !== undefined && live?.written !== ifGeneration)
          throw new AppError('PRECONDITION_FAILED', 'The document has changed since');
        const removed = replaces === undefined || replaces === write.document ? [] : [replaces];
        await commitSwap(write.collection, [record], removed);
      });
      return record;
    } catch (error) {
      // Stops reading a request body that is still arriving.
      await batches.return({}).catch(() => undefined);
      if (generation !== undefined && passages > 0) removals.removeLater(file, generation);
      else if (generation !== undefined) removals.hiddenIn(file).delete(generation);
      throw error;
    }

    async function addBatches(version: number, source: PassageBatches) {
      let batch = await source.next();
      while (!batch.done) {
        const next = await source.next();
        const values = batch.value;
        for (let at = 0; at < values.length; at += passagesPerTransaction) {
          const slice = values.slice(at, at + passagesPerTransaction);
          const isLast = next.done === true && at + passagesPerTransaction >= values.length;
          passages += slice.length;
          const fileName = fileNameIn(write.facts);
          const dimensions = await threads.write('add', file, version, slice, {
            isLast,
            fileName,
          });
          if (dimensions !== undefined)
            throw new AppError(
              'BAD_INPUT',
              `A vector of ${write.embedding} has ${dimensions} numbers in this collection`,
            );
        }
        batch = next;
      }
      return batch.value;
    }
  };

  return {
    collections: catalog.collections,
    async put(write, batches) {
      if (isClosing) throw new AppError('UNAVAILABLE', 'The vector database is stopping');
      return writers.read(() => put(write, batches));
    },
    remove: (collection, names) =>
      withSwapLock(async () => {
        const documents = catalog.collections.get(collection)?.documents;
        const existing = (names ?? [...(documents?.keys() ?? [])]).filter((name) =>
          documents?.has(name),
        );
        return existing.length === 0 ? [] : commitSwap(collection, [], existing);
      }),
    passages: (collection, document, range) =>
      readers.read(async () => {
        const record = documentIn(catalog.collections, collection, document);
        return threads.read('passages', fileNameOf(record), record.generation, range);
      }),
    search: (collection, query) =>
      readers.read(() =>
        searchCollection(collection, query, {
          catalog,
          read: threads.read,
          removals,
          lastGeneration: generations.last,
        }),
      ),
    ping: () => threads.read('ping'),
    settled: removals.settled,
    async close() {
      isClosing = true;
      await writers.drain();
      await removals.close();
      await readers.drain();
      await threads.close();
      unlock();
    },
  };
}
