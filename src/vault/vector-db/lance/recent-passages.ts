import {
  type DocumentCatalog,
  type DocumentRecord,
  type PartitionKey,
  tableName,
} from '../catalog.ts';
import type { ReadGate } from '../read-gate.ts';
import type { Swaps } from '../swaps.ts';
import type { PassageTable } from './passage-table.ts';
import type { Tables } from './tables.ts';

// Adding one passage to a keyword index rewrites that index, which takes longer the larger it is.
// Small documents are therefore stored in a small table, the recent partition, and later moved to
// the main partition together:
// - A move writes the rows a second time under new generations. One append to the registry makes
//   these live and the original ones dead, like the swap for a new version. A document that was
//   replaced or deleted during the move is left out, and its copy is deleted later.
// - A kill before this append leaves copies that belong to no document; a kill after it leaves the
//   originals in that state.

type MoveDependencies = {
  catalog: DocumentCatalog;
  tables: Tables;
  readers: ReadGate;
  recentPassagesMax: number;
  nextGeneration: () => number;
  swaps: Swaps;
  deleteRows(deadRecords: readonly DocumentRecord[]): Promise<void>;
};

const batchRows = 1_000;

export function createMoves({
  catalog,
  tables,
  readers,
  recentPassagesMax,
  nextGeneration,
  swaps,
  deleteRows,
}: MoveDependencies) {
  const movingTables = new Set<string>();

  const moveToMainPartition = async (from: PartitionKey) => {
    const to = { ...from, isRecent: false };
    const isCurrent = (record: DocumentRecord) =>
      catalog.collections.get(record.collection)?.documents.get(record.document) === record;
    const records = [
      ...(catalog.collections.get(from.collection)?.documents.values() ?? []),
    ].filter((record) => tableName(record) === tableName(from));
    const copies = new Map(
      records.map((record) => [
        record,
        { ...record, isRecent: false, generation: nextGeneration() },
      ]),
    );
    for (const { generation } of copies.values())
      tables.hiddenGenerations(tableName(to)).add(generation);
    const recentTable = await tables.open(from);
    const mainTable = await tables.open(to, recentTable?.dimensions);
    if (!recentTable || !mainTable) return;
    let uncommittedCopies = [...copies.values()];
    try {
      const generations = new Map(
        records.map((record) => [record.generation, copies.get(record)?.generation ?? 0]),
      );
      const rows = await readers.read(() => recentTable.rows([...generations.keys()]));
      for (let at = 0; at < rows.length; at += batchRows)
        await mainTable.add(
          rows
            .slice(at, at + batchRows)
            .map((row) => ({ ...row, generation: generations.get(row.generation) ?? 0 })),
        );
      await mainTable.index();
      const deadRecords = await swaps.withLock(async () => {
        const addedRecords = records
          .filter(isCurrent)
          .flatMap((record) => copies.get(record) ?? []);
        const replacedRecords =
          addedRecords.length === 0 ? [] : await swaps.commit(from.collection, addedRecords, []);
        uncommittedCopies = uncommittedCopies.filter((copy) => !addedRecords.includes(copy));
        return replacedRecords;
      });
      await deleteRows(deadRecords);
    } finally {
      if (uncommittedCopies.length > 0)
        tables.deleteLater(
          mainTable,
          uncommittedCopies.map(({ generation }) => generation),
        );
    }
    await mainTable.indexVectors();
  };
  /** Schedules index updates and moves, which need not delay the answer. */
  const maintain = (key: PartitionKey, table: PassageTable) => {
    if (!key.isRecent)
      return tables.runInBackground(
        'indexing vectors failed; the next write to the table tries again',
        table.indexVectors,
      );
    const name = tableName(key);
    const partition = catalog.collections.get(key.collection)?.partitions.get(name);
    if ((partition?.passages ?? 0) < recentPassagesMax || movingTables.has(name)) return;
    movingTables.add(name);
    tables.runInBackground(
      'moving recent passages to the main table failed; the next write to the table tries again',
      () => moveToMainPartition(key).finally(() => movingTables.delete(name)),
    );
  };

  return { maintain };
}
