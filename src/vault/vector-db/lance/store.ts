import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import type { EmbeddedPassage } from '../../passage.ts';
import {
  createCatalog,
  type DocumentRecord,
  documentIn,
  type PartitionKey,
  tableName,
} from '../catalog.ts';
import type {
  DocumentWrite,
  PassageBatches,
  PassageStore,
  StoreThresholds,
} from '../passage-store.ts';
import { createReadGate } from '../read-gate.ts';
import { createSwaps } from '../swaps.ts';
import { acquireBucketLease } from './bucket-lease.ts';
import { connectLance, type VectorStorage } from './lance.ts';
import type { PassageTable } from './passage-table.ts';
import { createMoves } from './recent-passages.ts';
import { deletedGeneration, openRegistry } from './registry.ts';
import { type SearchedStore, search } from './search.ts';
import { createTables, deletionFailed } from './tables.ts';

// Several Lance tables are written for one document. This is why a reader still sees a document
// completely or not at all, and always exactly one version:
// - Each write of a document has a number, its generation, and every passage row carries it. Only the
//   registry says which generations are live. One append to the registry makes the new generation
//   live and the replaced ones dead. Rows written before this append belong to no document until
//   then, and the replaced rows belong to none afterwards, wherever the process is killed.
// - This process is the only writer, so its memory mirrors the registry. A search decides in one
//   synchronous step which generations it sees and applies this to every table: generations that were
//   hidden at that moment or began later are not in its answer.
// - Rows of dead generations are deleted only after the searches that began before their death.
// - A kill can leave rows that belong to no document. Later generations never get their number,
//   because each start uses numbers above those of all earlier starts. These rows are hidden when
//   their table is first opened, before any search of it, and then deleted.
// - A kill between the deletion of rows and the cleanup of files leaves files that no table version
//   lists; the next cleanup deletes them.
// Small documents are stored apart at first (recent-passages.ts).

type StoreOptions = VectorStorage & {
  cacheMb: number;
  thresholds?: StoreThresholds | undefined;
  /** How long a lease of a bucket is valid without being extended. */
  leaseMs?: number | undefined;
  clock: Clock;
  log: Log;
};

const defaultThresholds: StoreThresholds = { recentPassagesMax: 4_000, vectorIndexRowsMin: 20_000 };

export async function openLanceStore({
  location,
  storageOptions,
  cacheMb,
  thresholds: { recentPassagesMax, vectorIndexRowsMin } = defaultThresholds,
  leaseMs,
  clock,
  log,
}: StoreOptions): Promise<PassageStore> {
  const lease = /^s3:/i.test(location)
    ? await acquireBucketLease({ location, storageOptions, leaseMs, log })
    : undefined;
  const requireLease = () => lease?.require();
  const connection = await connectLance({ location, storageOptions }, cacheMb);
  const registry = await openRegistry(connection, requireLease).catch(async (error: unknown) => {
    await lease?.release();
    throw error;
  });
  const catalog = createCatalog(registry.records());
  const readers = createReadGate();
  const writers = createReadGate();
  const tables = createTables({
    connection,
    catalog,
    readers,
    firstGeneration: registry.firstGeneration,
    vectorIndexRowsMin,
    requireLease,
    log,
  });
  let lastGeneration = registry.firstGeneration;
  let isClosing = false;

  const deleteRows = async (deadRecords: readonly DocumentRecord[]) => {
    for (const key of new Map(deadRecords.map((record) => [tableName(record), record])).values()) {
      const table = await tables.open(key);
      const generations = deadRecords
        .filter((record) => tableName(record) === tableName(key))
        .map(({ generation }) => generation);
      if (table) tables.deleteLater(table, generations);
      else
        for (const generation of generations)
          tables.hiddenGenerations(tableName(key)).delete(generation);
    }
  };
  const deleteRowsLater = (deadRecords: readonly DocumentRecord[]) => {
    if (deadRecords.length > 0)
      tables.runInBackground(deletionFailed, () => deleteRows(deadRecords));
  };

  const swaps = createSwaps({
    catalog,
    store: (collection, added, removedDocuments) =>
      registry.commit([
        ...added,
        ...removedDocuments.map(
          (document) => ({ collection, document, generation: deletedGeneration }) as const,
        ),
      ]),
    onLive: (record) => tables.hiddenGenerations(tableName(record)).delete(record.generation),
    onDead: (record) => tables.hiddenGenerations(tableName(record)).add(record.generation),
  });

  const { maintain } = createMoves({
    ...{ catalog, tables, readers, recentPassagesMax, swaps, deleteRows },
    nextGeneration: () => ++lastGeneration,
  });

  const put = async (write: DocumentWrite, batches: PassageBatches): Promise<DocumentRecord> => {
    const { replaces: _, ifGeneration: __, ...metadata } = write;
    let generation = deletedGeneration;
    let key: PartitionKey | undefined;
    let table: PassageTable | undefined;
    try {
      const first = await batches.next();
      let next = first.done ? first : await batches.next();
      const target = {
        collection: metadata.collection,
        embedding: metadata.embedding,
        isRecent: next.done === true,
      };
      key = target;
      // The generation is assigned and hidden in one synchronous step, so that no search can see it.
      generation = ++lastGeneration;
      tables.hiddenGenerations(tableName(target)).add(generation);
      let passages = 0;
      const add = async (batch: readonly EmbeddedPassage[]) => {
        const dimensions = batch[0]?.vector.length ?? 0;
        const sibling = await tables.open({ ...target, isRecent: !target.isRecent });
        const requiredDimensions =
          sibling?.dimensions ?? (await tables.open(target))?.dimensions ?? dimensions;
        if (batch.some(({ vector }) => vector.length !== requiredDimensions))
          throw new AppError(
            'BAD_INPUT',
            `A vector of ${metadata.embedding} has ${requiredDimensions} numbers in this collection`,
          );
        table ??= await tables.open(target, dimensions);
        await table?.add(batch.map((passage) => ({ ...passage, generation })));
        passages += batch.length;
      };
      if (!first.done) await add(first.value);
      for (; !next.done; next = await batches.next()) await add(next.value);
      await table?.index();
      const facts = { ...metadata.facts, ...next.value };
      const record = {
        ...metadata,
        isRecent: target.isRecent,
        facts,
        generation,
        written: generation,
        passages,
        updatedAt: clock().toISOString(),
      };
      const deadRecords = await swaps.publish(write, record);
      deleteRowsLater(deadRecords);
      if (table) maintain(target, table);
      return record;
    } catch (error) {
      // Stops reading a request body that is still arriving.
      await batches.return({}).catch(() => undefined);
      if (table) tables.deleteLater(table, [generation]);
      else if (key) tables.hiddenGenerations(tableName(key)).delete(generation);
      throw error;
    }
  };

  const searchedStore: SearchedStore = {
    collections: catalog.collections,
    documentOf: catalog.documentOf,
    tableOf: (key) => tables.open(key),
    hiddenGenerations: (key) => [...tables.hiddenGenerations(tableName(key))],
    lastGeneration: () => lastGeneration,
  };
  return {
    collections: catalog.collections,
    async put(...write) {
      if (isClosing) throw new AppError('UNAVAILABLE', 'The vector database is stopping');
      requireLease();
      return writers.read(() => put(...write));
    },
    async remove(collection, names) {
      const deadRecords = await swaps.remove(collection, names);
      deleteRowsLater(deadRecords);
      return deadRecords;
    },
    // Rows of documents that are live at the start of a read are not deleted before its end.
    passages: (collection, document, range) =>
      readers.read(async () => {
        const record = documentIn(catalog.collections, collection, document);
        const table = await tables.open(record);
        return (await table?.passages(record.generation, range)) ?? [];
      }),
    search: (collection, query) => readers.read(() => search(searchedStore, collection, query)),
    async ping() {
      requireLease();
      await registry.ping();
    },
    settled: tables.settled,
    /**
     * Waits for running writes first. The server must end request bodies that would take long.
     */
    async close(): Promise<void> {
      isClosing = true;
      await writers.drain();
      await tables.close();
      await registry.close();
      connection.close();
      await lease?.release();
    },
  };
}
