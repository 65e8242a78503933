import { readdirSync } from 'node:fs';
import type { Clock } from '../../../platform/clock.ts';
import { messageOf } from '../../../platform/error-message.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { makeDirectory } from '../../../platform/make-directory.ts';
import { requireAccess } from '../../../platform/require-access.ts';
import { createCatalog, type DocumentRecord, documentIn } from '../catalog.ts';
import { createGenerations } from '../generations.ts';
import { lockVectors } from '../lock-vectors.ts';
import type { DocumentWrite, PassageBatches, PassageStore } from '../passage-store.ts';
import { createReadGate } from '../read-gate.ts';
import { createSwaps } from '../swaps.ts';
import { fileNameIn } from '../words.ts';
import { writeBatches } from '../write-batches.ts';
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

const passagesPerTransaction = 500;

/** Opens a store whose files are in a directory of this machine. */
export async function openSqliteStore({
  location,
  cacheMb,
  clock,
  log,
}: StoreOptions): Promise<PassageStore> {
  makeDirectory(location);
  const unlock = lockVectors(location);
  try {
    requireAccess(location);
  } catch (error) {
    unlock();
    throw error;
  }
  const threads = startThreads(location, cacheMb, log);
  const stored = await threads.write('documents').catch(async (error: unknown) => {
    await threads.close().catch(() => undefined);
    unlock();
    throw new Error(
      `The vector database in ${location} cannot be opened (${messageOf(error)}). If its disk is full, free some space. If it is damaged, move it away: the next start makes a new one and reads the stored files again`,
      { cause: error },
    );
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
  const removals = createRemovals({ threads, catalog, readers, generations, log });
  let isClosing = false;
  removals.cleanUpAfterStart(readdirSync(location));

  const swaps = createSwaps({
    catalog,
    store: (collection, added, removedDocuments) =>
      threads.write('commit', [
        ...removedDocuments.map((document) => ({ collection, document, isRemoved: true }) as const),
        ...added.map(({ isRecent: _, written: __, ...document }) => document),
      ]),
    onLive: (record) => removals.hiddenIn(fileNameOf(record)).delete(record.generation),
    onDead: (record) => removals.removeLater(fileNameOf(record), record.generation),
  });

  const put = async (write: DocumentWrite, batches: PassageBatches): Promise<DocumentRecord> => {
    const { replaces: _, ifGeneration: __, ...document } = write;
    const file = fileNameOf({ ...document, isRecent: false });
    let generation: number | undefined;
    let passages = 0;
    try {
      generation = await generations.next((next) => removals.hiddenIn(file).add(next));
      const version = generation;
      const fileName = fileNameIn(write.facts);
      const facts = await writeBatches(batches, {
        passagesMax: passagesPerTransaction,
        async write(slice, isLast) {
          passages += slice.length;
          const dimensions = await threads.write('add', file, version, slice, { isLast, fileName });
          if (dimensions !== undefined)
            throw new AppError(
              'BAD_INPUT',
              `A vector of ${write.embedding} has ${dimensions} numbers in this collection`,
            );
        },
      });
      const record = {
        ...document,
        isRecent: false,
        facts: { ...document.facts, ...facts },
        generation,
        written: generation,
        passages,
        updatedAt: clock().toISOString(),
      };
      await swaps.publish(write, record);
      return record;
    } catch (error) {
      // Stops reading a request body that is still arriving.
      await batches.return({}).catch(() => undefined);
      if (generation !== undefined && passages > 0) removals.removeLater(file, generation);
      else if (generation !== undefined) removals.hiddenIn(file).delete(generation);
      throw error;
    }
  };

  return {
    collections: catalog.collections,
    async put(write, batches) {
      if (isClosing) throw new AppError('UNAVAILABLE', 'The vector database is stopping');
      return writers.read(() => put(write, batches));
    },
    remove: swaps.remove,
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
