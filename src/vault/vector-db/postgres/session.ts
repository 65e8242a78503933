import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { createCatalog, type DocumentRecord, documentIn } from '../catalog.ts';
import { createGenerations } from '../generations.ts';
import type { DocumentWrite, PassageBatches, PassageStore } from '../passage-store.ts';
import { createReadGate } from '../read-gate.ts';
import { createSwaps } from '../swaps.ts';
import { fileNameIn } from '../words.ts';
import { writeBatches } from '../write-batches.ts';
import type { PostgresAddress } from './address.ts';
import { acquireOwnership } from './ownership.ts';
import { addPassages, passagesInRange } from './passage-tables.ts';
import { commitDocuments, readRegistry, reserveGenerations } from './registry.ts';
import { createRemovals } from './removals.ts';
import { searchCollection } from './search.ts';
import { createWordCounter } from './search-words.ts';
import { createSpaces, keyOf, type Space } from './spaces.ts';
import { createTransactions, everyCollection } from './transactions.ts';
import { openVectorIndexes } from './vector-indexes.ts';

// This is why a reader sees a document completely or not at all, and always exactly one version:
// - Each write of a document has a number, its generation, and its rows have that number. One
//   transaction makes the new generation live and the replaced ones dead. Rows written before it
//   belong to no document until then, and the replaced rows to none afterwards, wherever the process
//   is killed.
// - This process is the only writer, so its memory mirrors the list of documents. A search decides in
//   one synchronous step which generations it sees, and reads them in one snapshot.
// - Rows of dead generations are removed only after the searches that began before their death.
// - A kill can leave rows that belong to no document. Later generations never get their number. The
//   next start hides and removes them.
// - A process that has lost the schema keeps none of this: its transactions fail, and it begins anew
//   with what is stored.

export type SessionOptions = {
  address: PostgresAddress;
  /** How long to wait for another process that uses the schema. */
  ownershipWaitMs?: number | undefined;
  vectorIndexRowsMin?: number | undefined;
  clock: Clock;
  log: Log;
};

/** Passages are added in transactions of this many, so that other writes wait little. */
const passagesPerTransaction = 250;

export type Session = Awaited<ReturnType<typeof openSession>>;

/** The vector database from the moment this process owns the schema until it loses it. */
export async function openSession(options: SessionOptions) {
  const { address, clock, log } = options;
  const ownership = await acquireOwnership({ address, waitMs: options.ownershipWaitMs, log });
  const transactions = createTransactions(address, ownership);
  const opening = async () => {
    const stored = await readRegistry(transactions);
    const generations = await createGenerations((count) => reserveGenerations(transactions, count));
    const vectorIndexes = await openVectorIndexes({
      transactions,
      passagesMin: options.vectorIndexRowsMin,
      log,
    });
    return { stored, generations, vectorIndexes };
  };
  const { stored, generations, vectorIndexes } = await opening().catch(async (error: unknown) => {
    await transactions.close();
    await ownership.release();
    throw error;
  });
  const catalog = createCatalog(stored.documents);
  const spaces = createSpaces(transactions, stored);
  const readers = createReadGate();
  const writers = createReadGate();
  const removals = createRemovals({ transactions, catalog, readers, log });
  const countWords = createWordCounter();
  removals.cleanUpAfterStart(stored.generations);
  vectorIndexes.removeUnused(spaces.all());
  for (const space of spaces.all()) vectorIndexes.request(space);

  const swaps = createSwaps({
    catalog,
    store: async (collection, added, removedDocuments) =>
      commitDocuments(
        transactions,
        await spaces.requireCollection(collection),
        added,
        removedDocuments,
      ),
    onLive: (record) => removals.hiddenIn(keyOf(record)).delete(record.generation),
    onDead: (record) => removals.removeLater(keyOf(record), spaces.find(record), record.generation),
  });

  const put = async (write: DocumentWrite, batches: PassageBatches): Promise<DocumentRecord> => {
    const { replaces: _, ifGeneration: __, ...document } = write;
    const key = keyOf(document);
    let generation: number | undefined;
    let space: Space | undefined;
    let passages = 0;
    try {
      generation = await generations.next((next) => removals.hiddenIn(key).add(next));
      const number = generation;
      const fileName = fileNameIn(write.facts);
      const facts = await writeBatches(batches, {
        passagesMax: passagesPerTransaction,
        async write(slice) {
          space = await spaces.require(document, slice[0]?.vector.length ?? 0);
          passages += slice.length;
          space.words += await addPassages(transactions, space, {
            ...{ generation: number, passages: slice, fileName },
          });
          space.passages += slice.length;
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
      if (space) vectorIndexes.request(space);
      return record;
    } catch (error) {
      // Stops reading a request body that is still arriving.
      await batches.return({}).catch(() => undefined);
      if (generation !== undefined && passages > 0) removals.removeLater(key, space, generation);
      else if (generation !== undefined) removals.hiddenIn(key).delete(generation);
      throw error;
    }
  };

  const store: Omit<PassageStore, 'close'> = {
    collections: catalog.collections,
    put: (write, batches) => writers.read(() => put(write, batches)),
    remove: swaps.remove,
    passages: (collection, document, range) =>
      readers.read(async () => {
        const record = documentIn(catalog.collections, collection, document);
        const space = spaces.find(record);
        return space ? passagesInRange(transactions, space, record.generation, range) : [];
      }),
    search: (collection, query) =>
      readers.read(() =>
        searchCollection(collection, query, {
          transactions,
          catalog,
          spaces,
          removals,
          vectorIndexes,
          countWords,
          lastGeneration: generations.last,
        }),
      ),
    ping: () => transactions.read(everyCollection, async () => undefined),
    async settled() {
      await removals.settled();
      await vectorIndexes.settled();
    },
  };
  return {
    ...store,
    ownership,
    /** Gives up the lock without waiting for the calls that still run; all of them will fail. */
    async abandon(): Promise<void> {
      await ownership.release();
      void transactions.close().catch(() => undefined);
    },
    async close(): Promise<void> {
      await writers.drain();
      await removals.close();
      await readers.drain();
      await vectorIndexes.close();
      await transactions.close();
      await ownership.release();
    },
  };
}
