import type { Connection } from '@lancedb/lancedb';
import type { Log } from '../../../platform/log.ts';
import { createMutex } from '../../../platform/mutex.ts';
import { type DocumentCatalog, type PartitionKey, tableName, tablePrefix } from '../catalog.ts';
import type { ReadGate } from '../read-gate.ts';
import { dropTableIfAny } from './lance.ts';
import { openPassageTable, type PassageTable } from './passage-table.ts';

const openTablesMax = 200;
export const deletionFailed =
  'deleting the passages of removed documents failed; the next deletion in the table tries again';

type TablesDependencies = {
  connection: Connection;
  catalog: DocumentCatalog;
  readers: ReadGate;
  firstGeneration: number;
  vectorIndexRowsMin: number;
  /** Throws if another process may write to the storage. */
  requireLease: () => void;
  log: Log;
};

export type Tables = ReturnType<typeof createTables>;

/**
 * Opens passage tables when they are needed, deletes dead rows in the background, and closes the
 * least recently used tables if many are open.
 */
export function createTables({
  connection,
  catalog,
  readers,
  firstGeneration,
  vectorIndexRowsMin,
  requireLease,
  log,
}: TablesDependencies) {
  /** Ordered by last use, the most recently used table last. */
  const opened = new Map<string, Promise<PassageTable | undefined>>();
  /** By table: generations that have rows but are not live. */
  const hidden = new Map<string, Set<number>>();
  /** By table: generations whose rows are to be deleted. */
  const pendingDeletions = new Map<string, Set<number>>();
  const checkedForOrphans = new Set<string>();
  const withLock = createMutex();
  let isClosingScheduled = false;
  let isStopping = false;

  const setIn = (map: Map<string, Set<number>>, name: string) => {
    const set = map.get(name) ?? new Set<number>();
    map.set(name, set);
    return set;
  };
  const runInBackground = (failureMessage: string, work: () => Promise<unknown>) => {
    void withLock(async () => {
      requireLease();
      await work();
    }).catch((error: unknown) => log.warn({ err: error }, failureMessage));
  };
  const open = async (
    key: PartitionKey,
    newTableDimensions?: number,
  ): Promise<PassageTable | undefined> => {
    const name = tableName(key);
    const opening = opened.get(name) ?? openByName(name, newTableDimensions);
    opened.delete(name);
    opened.set(name, opening);
    if (opened.size > openTablesMax && !isClosingScheduled) {
      isClosingScheduled = true;
      runInBackground('closing unused tables failed; they stay open', closeUnused);
    }
    const table = await opening.catch((error: unknown) => {
      if (opened.get(name) === opening) opened.delete(name);
      throw error;
    });
    if (table) return table;
    if (opened.get(name) === opening) opened.delete(name);
    return newTableDimensions === undefined ? undefined : open(key, newTableDimensions);
  };
  const openByName = async (name: string, newTableDimensions?: number) => {
    const table = await openPassageTable(connection, {
      name,
      newTableDimensions,
      vectorIndexRowsMin,
    });
    if (!table) return undefined;
    if (checkedForOrphans.has(name)) return table;
    // Rows of an earlier start without a document were left by a killed process.
    const orphans = (await table.generations()).filter(
      (generation) => generation <= firstGeneration && catalog.documentOf(generation) === undefined,
    );
    if (orphans.length > 0) deleteLater(table, orphans);
    checkedForOrphans.add(name);
    return table;
  };
  /**
   * Hides generations now and deletes their rows in the background. Generations that are added while
   * a deletion runs are deleted together afterwards.
   */
  const deleteLater = (table: PassageTable, generations: readonly number[]) => {
    for (const generation of generations) {
      setIn(hidden, table.name).add(generation);
      setIn(pendingDeletions, table.name).add(generation);
    }
    runInBackground(deletionFailed, async () => {
      const dead = [...(pendingDeletions.get(table.name) ?? [])];
      pendingDeletions.delete(table.name);
      if (dead.length === 0) return;
      await readers.drain();
      try {
        await table.purge(dead);
      } catch (error) {
        // The rows stay hidden, and the next deletion in this table includes them.
        for (const generation of dead) setIn(pendingDeletions, table.name).add(generation);
        throw error;
      }
      for (const generation of dead) {
        hidden.get(table.name)?.delete(generation);
        catalog.forget(generation);
      }
    });
  };
  /**
   * Nothing reads while tables are closed. A table that is being written has hidden generations, so
   * it stays open.
   */
  const closeUnused = async () => {
    isClosingScheduled = false;
    await readers.exclude(async () => {
      for (const [name, opening] of opened) {
        if (opened.size <= openTablesMax) break;
        if (hidden.get(name)?.size) continue;
        opened.delete(name);
        await (await opening)?.close();
      }
    });
  };
  // Runs once after the start, one table after the other. Tables without live documents are dropped.
  // Opening the others deletes the rows that a killed process left. A write to a table that is being
  // dropped waits for the end of the drop and then creates the table again.
  const cleanUp = async () => {
    const partitions = new Map(
      [...catalog.collections.values()].flatMap((collection) => [...collection.partitions]),
    );
    for (const name of await connection.tableNames()) {
      if (!name.startsWith(tablePrefix) || partitions.has(name) || opened.has(name)) continue;
      const dropped = dropTableIfAny(connection, name).then(() => undefined);
      opened.set(name, dropped);
      try {
        await dropped;
      } finally {
        if (opened.get(name) === dropped) opened.delete(name);
      }
    }
    for (const key of partitions.values()) {
      if (isStopping) return;
      await open(key);
    }
  };
  const settled = async () => {
    await withLock(async () => undefined);
    // The work before may have scheduled more work.
    await withLock(async () => undefined);
  };
  runInBackground(
    'cleaning up after the previous process failed; the next start tries again',
    cleanUp,
  );

  return {
    open,
    deleteLater,
    runInBackground,
    hiddenGenerations: (name: string): Set<number> => setIn(hidden, name),
    /** Resolves when all background work that was scheduled before this call has ended. */
    settled,
    async close(): Promise<void> {
      isStopping = true;
      await settled();
      for (const opening of opened.values()) await (await opening)?.close();
    },
  };
}
