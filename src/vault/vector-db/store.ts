import { mkdirSync } from 'node:fs';
import type { Clock } from '../../platform/clock.ts';
import { lockDirectory } from '../../platform/database/lock.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { EmbeddedPassage } from '../passage.ts';
import { createCatalog, type Place, tableName } from './catalog.ts';
import { connectLance, type VectorStorage } from './lance.ts';
import { removePartialWrites } from './partial-writes.ts';
import type { PassageTable } from './passage-table.ts';
import { createMutex, createReadGate } from './read-gate.ts';
import { type DocumentRecord, gone, openRegistry } from './registry.ts';
import { createTables } from './tables.ts';

// Why a reader sees all of a document or nothing, one version and never two, though several Lance tables are written:
// - Passages carry the number of their writing, their generation. Which generations live is said by the registry alone, and
//   one append to it makes a new one live and the ones it replaces dead. Before it, the new rows belong to nobody; after it,
//   the old ones do. There is no third state, wherever the process is killed.
// - This process is the only writer, so memory mirrors the registry. A search decides in one synchronous step what it sees,
//   and asks every table for that: generations that were hidden at that moment, or began later, are not in its answer.
// - Rows of dead generations are deleted only when the searches that began before their death have ended.
// - A kill leaves rows that are nobody's. No later generation gets their number, because each start numbers above all earlier
//   ones; they are hidden when a table is first opened, before any search of it, and deleted from then on.
// - A kill between the deletion of rows and the cleanup of files leaves files that no version lists; the next cleanup takes them.
//   Files that it leaves half written are removed before anything is opened.
//
// To bring one passage into the keyword index is to write that index anew, which takes the longer the larger it is. So what is small
// goes to a small table, the fresh one, and from there to the main one with many others:
// - To be moved is to be written a second time, under new generations, and shown by one append that lets the old ones die: the
//   same swap as that of a new version. A document that was replaced or deleted meanwhile is left out of it, and its copy is deleted later.
// - So a kill before the append leaves a copy that is nobody's, and one after it leaves the original so.

export type Store = Awaited<ReturnType<typeof openStore>>;
export type Writing = {
  collection: string;
  document: string;
  replaces: string | undefined;
  /** Written only if this writing of the document still lives in the instant of the swap. */
  ifGeneration: number | undefined;
  hash: string;
  embedding: string;
  facts: Record<string, unknown>;
};
export type Thresholds = {
  /** With so many passages a fresh table is moved into the main one. */
  freshPassagesMax: number;
  /** With so many rows a table gets an index of its vectors. */
  vectorIndexRowsMin: number;
};
type StoreParts = VectorStorage & {
  cacheMb: number;
  thresholds: Thresholds;
  clock: Clock;
  log: Log;
};

const batchRows = 1_000;
const guarded = {
  name: 'The vector database',
  way: 'stop that one, or set VECTOR_DB_URL to its address, so that it serves both',
};

export async function openStore({
  location,
  storageOptions,
  cacheMb,
  thresholds: { freshPassagesMax, vectorIndexRowsMin },
  clock,
  log,
}: StoreParts) {
  const isLocal = !location.includes('://');
  if (isLocal) mkdirSync(location, { recursive: true });
  const unlock = isLocal ? lockDirectory(location, guarded) : () => undefined;
  if (isLocal) await removePartialWrites(location);
  const connection = await connectLance({ location, storageOptions }, cacheMb);
  const registry = await openRegistry(connection);
  const catalog = createCatalog(registry.records());
  const readers = createReadGate();
  const writers = createReadGate();
  const tables = createTables({
    connection,
    directory: isLocal ? location : undefined,
    catalog,
    readers,
    firstGeneration: registry.firstGeneration,
    vectorIndexRowsMin,
    log,
  });
  const swaps = createMutex();
  const moving = new Set<string>();
  let lastGeneration = registry.firstGeneration;
  let isClosing = false;

  const forget = async (dying: readonly DocumentRecord[]) => {
    for (const place of new Map(dying.map((record) => [tableName(record), record])).values()) {
      const table = await tables.of(place);
      const generations = dying
        .filter((record) => tableName(record) === tableName(place))
        .map(({ generation }) => generation);
      if (table) tables.deleteLater(table, generations);
      else for (const generation of generations) tables.hidden(tableName(place)).delete(generation);
    }
  };
  const forgetLater = (dying: readonly DocumentRecord[]) => {
    if (dying.length > 0)
      tables.runInBackground('dead passages could not be removed yet', () => forget(dying));
  };

  /** The swap: hides and shows in one synchronous step what the registry has just taken. */
  const commitSwap = async (
    collection: string,
    shown: readonly DocumentRecord[],
    removed: readonly string[],
  ): Promise<DocumentRecord[]> => {
    await registry.commit([
      ...shown,
      ...removed.map((document) => ({ collection, document, generation: gone }) as const),
    ]);
    const known = catalog.collections.get(collection)?.documents;
    const dying = [...shown.map(({ document }) => document), ...removed].flatMap(
      (document) => known?.get(document) ?? [],
    );
    for (const record of dying) {
      catalog.take(record);
      tables.hidden(tableName(record)).add(record.generation);
    }
    for (const record of shown) {
      tables.hidden(tableName(record)).delete(record.generation);
      catalog.show(record);
    }
    return dying;
  };

  const move = async (from: Place) => {
    const to = { ...from, isFresh: false };
    const isCurrent = (record: DocumentRecord) =>
      catalog.collections.get(record.collection)?.documents.get(record.document) === record;
    const records = [
      ...(catalog.collections.get(from.collection)?.documents.values() ?? []),
    ].filter((record) => tableName(record) === tableName(from));
    const copies = new Map(
      records.map((record) => [
        record,
        { ...record, isFresh: false, generation: ++lastGeneration },
      ]),
    );
    for (const { generation } of copies.values()) tables.hidden(tableName(to)).add(generation);
    const fresh = await tables.of(from);
    const main = await tables.of(to, fresh?.dimensions);
    if (!fresh || !main) return;
    let unshown = [...copies.values()];
    try {
      const generations = new Map(
        records.map((record) => [record.generation, copies.get(record)?.generation ?? 0]),
      );
      const rows = await readers.read(() => fresh.rows([...generations.keys()]));
      for (let at = 0; at < rows.length; at += batchRows)
        await main.add(
          rows
            .slice(at, at + batchRows)
            .map((row) => ({ ...row, generation: generations.get(row.generation) ?? 0 })),
        );
      await main.index();
      const dying = await swaps(async () => {
        const shown = records.filter(isCurrent).flatMap((record) => copies.get(record) ?? []);
        const replaced = shown.length === 0 ? [] : await commitSwap(from.collection, shown, []);
        unshown = unshown.filter((copy) => !shown.includes(copy));
        return replaced;
      });
      await forget(dying);
    } finally {
      if (unshown.length > 0)
        tables.deleteLater(
          main,
          unshown.map(({ generation }) => generation),
        );
    }
    await main.indexVectors();
  };
  /** What is better done after the answer. */
  const maintain = (place: Place, table: PassageTable) => {
    if (!place.isFresh)
      return tables.runInBackground('vectors could not be indexed yet', table.indexVectors);
    const name = tableName(place);
    const shelf = catalog.collections.get(place.collection)?.shelves.get(name);
    if ((shelf?.passages ?? 0) < freshPassagesMax || moving.has(name)) return;
    moving.add(name);
    tables.runInBackground('fresh passages could not be moved yet', () =>
      move(place).finally(() => moving.delete(name)),
    );
  };

  const put = async (
    writing: Writing,
    batches: AsyncGenerator<EmbeddedPassage[], Record<string, unknown>>,
  ): Promise<DocumentRecord> => {
    const { replaces, ifGeneration, ...about } = writing;
    let generation = gone;
    let place: Place | undefined;
    let table: PassageTable | undefined;
    try {
      const first = await batches.next();
      let next = first.done ? first : await batches.next();
      const target = {
        collection: about.collection,
        embedding: about.embedding,
        isFresh: next.done === true,
      };
      place = target;
      // Numbered and hidden in one step: a search that knows of the number knows that it is hidden.
      generation = ++lastGeneration;
      tables.hidden(tableName(target)).add(generation);
      let passages = 0;
      const add = async (batch: readonly EmbeddedPassage[]) => {
        const given = batch[0]?.vector.length ?? 0;
        const sibling = await tables.of({ ...target, isFresh: !target.isFresh });
        const expected = sibling?.dimensions ?? (await tables.of(target))?.dimensions ?? given;
        if (batch.some(({ vector }) => vector.length !== expected))
          throw new AppError(
            'BAD_INPUT',
            `A vector of ${about.embedding} has ${expected} numbers in this collection`,
          );
        table ??= await tables.of(target, given);
        await table?.add(batch.map((passage) => ({ ...passage, generation })));
        passages += batch.length;
      };
      if (!first.done) await add(first.value);
      for (; !next.done; next = await batches.next()) await add(next.value);
      await table?.index();
      const facts = { ...about.facts, ...next.value };
      const record = {
        ...about,
        isFresh: target.isFresh,
        facts,
        generation,
        written: generation,
        passages,
        updatedAt: clock().toISOString(),
      };
      const removed = replaces === undefined || replaces === about.document ? [] : [replaces];
      const dying = await swaps(async () => {
        const living = catalog.collections
          .get(about.collection)
          ?.documents.get(about.document)?.written;
        if (ifGeneration !== undefined && living !== ifGeneration)
          throw new AppError('PRECONDITION_FAILED', 'The document has changed since');
        return commitSwap(about.collection, [record], removed);
      });
      forgetLater(dying);
      if (table) maintain(target, table);
      return record;
    } catch (error) {
      // A body that is still arriving is told that nobody takes it any more.
      await batches.return({}).catch(() => undefined);
      if (table) tables.deleteLater(table, [generation]);
      else if (place) tables.hidden(tableName(place)).delete(generation);
      throw error;
    }
  };

  return {
    collections: catalog.collections,
    documentOf: catalog.documentOf,
    tableOf: (place: Place) => tables.of(place),
    hiddenIn: (place: Place): number[] => [...tables.hidden(tableName(place))],
    lastGeneration: () => lastGeneration,
    ping: registry.ping,
    /** What begins here finds all that lived when it began until it ends. */
    read: readers.read.bind(readers),
    async put(...writing: Parameters<typeof put>): Promise<DocumentRecord> {
      if (isClosing) throw new AppError('UNAVAILABLE', 'The vector database is stopping');
      return writers.read(() => put(...writing));
    },
    async remove(collection: string, names?: readonly string[]): Promise<DocumentRecord[]> {
      const dying = await swaps(async () => {
        const known = catalog.collections.get(collection)?.documents;
        const present = (names ?? [...(known?.keys() ?? [])]).filter((document) =>
          known?.has(document),
        );
        return present.length === 0 ? [] : commitSwap(collection, [], present);
      });
      forgetLater(dying);
      return dying;
    },
    document: (collection: string, document: string): DocumentRecord => {
      const record = catalog.collections.get(collection)?.documents.get(document);
      if (!record) throw notFound('Document');
      return record;
    },
    settled: tables.settled,
    /**
     * The writings that are under way end first: whoever serves them ends the bodies that would go
     * on for long.
     */
    async close(): Promise<void> {
      isClosing = true;
      await writers.drain();
      await tables.close();
      await registry.close();
      connection.close();
      unlock();
    },
  };
}
