import { type Connection, makeArrowTable, type Table } from '@lancedb/lancedb';
import { z } from 'zod';
import { createMutex } from '../../../platform/mutex.ts';
import type { DocumentRecord } from '../catalog.ts';
import { openTableIfAny, recentColumn, registrySchema } from './lance.ts';

export type RegistryChange =
  | DocumentRecord
  | { collection: string; document: string; generation: typeof deletedGeneration };

/** The generation in the registry entry of a deleted document. */
export const deletedGeneration = 0;
const tableName = 'registry';
/**
 * Each start uses generations above those of all earlier starts, so that rows left by a killed
 * process never belong to a later document.
 */
const generationsPerStart = 2 ** 32;
const commitsPerCompaction = 200;

const storedEntry = z
  .object({
    sequence: z.coerce.number(),
    collection: z.string(),
    document: z.string(),
    generation: z.coerce.number(),
    hash: z.string(),
    embedding: z.string(),
    [recentColumn]: z.boolean(),
    written: z.coerce.number(),
    passages: z.number(),
    facts: z.string(),
    updatedAt: z.string(),
  })
  .transform(({ [recentColumn]: isRecent, ...entry }) => ({ ...entry, isRecent }));

/**
 * The log of document changes; the last entry of a document counts. All changes of one `commit` are
 * one append to one Lance table, so they are stored completely or not at all. This append is the
 * moment at which a write takes effect. `requireLease` throws if another process may write.
 */
export async function openRegistry(connection: Connection, requireLease: () => void) {
  const table =
    (await openTableIfAny(connection, tableName)) ??
    (await connection.createEmptyTable(tableName, registrySchema));
  const entries = (await table.query().toArray())
    .map((value: unknown) => storedEntry.parse(Object(value)))
    .sort((a, b) => a.sequence - b.sequence);
  let sequence = entries.at(-1)?.sequence ?? 0;
  const records = new Map<string, DocumentRecord>();
  for (const { sequence: _, facts, ...entry } of entries) {
    if (entry.collection === '') continue;
    if (entry.generation === deletedGeneration) records.delete(keyOf(entry));
    else records.set(keyOf(entry), { ...entry, facts: Object(JSON.parse(facts)) });
  }
  const lastStart = Math.floor(
    Math.max(
      0,
      ...entries.filter(({ collection }) => collection === '').map(({ generation }) => generation),
    ) / generationsPerStart,
  );
  // The entry without a collection records the first generation of this start.
  const startEntry = { ...emptyRecord, generation: (lastStart + 1) * generationsPerStart };

  const toArrowTable = (changes: readonly RegistryChange[]) =>
    makeArrowTable(
      changes.map((change) => toStoredEntry(change, ++sequence)),
      { schema: registrySchema },
    );
  await table.add(toArrowTable([startEntry]));

  const withLock = createMutex();
  let commits = commitsPerCompaction - 20;
  let rows = entries.length + 1;
  let pendingCommits: {
    changes: readonly RegistryChange[];
    settle: (outcome: Promise<void>) => void;
  }[] = [];

  const appendNow = async (changes: readonly RegistryChange[]) => {
    requireLease();
    await table.add(toArrowTable(changes));
  };
  const flush = async () => {
    const batch = pendingCommits;
    pendingCommits = [];
    if (batch.length === 0) return;
    const changes = batch.flatMap((commit) => commit.changes);
    const append = appendNow(changes).then(() => {
      rows += changes.length;
      for (const change of changes) {
        if ('hash' in change) records.set(keyOf(change), change);
        else records.delete(keyOf(change));
      }
    });
    for (const commit of batch) commit.settle(append);
    await append.catch(() => undefined);
    if (++commits % commitsPerCompaction === 0) await compact().catch(() => undefined);
  };
  const compact = async () => {
    if (rows > 2 * records.size + 1000) {
      await table.add(toArrowTable([startEntry, ...records.values()]), { mode: 'overwrite' });
      rows = records.size + 1;
    }
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  };

  return {
    records: () => records.values(),
    firstGeneration: startEntry.generation,
    commit: (changes: readonly RegistryChange[]): Promise<void> =>
      new Promise<void>((resolve) => {
        pendingCommits.push({ changes, settle: resolve });
        void withLock(flush);
      }),
    /** Reads from the storage itself, so it fails if the storage is not reachable. */
    ping: (): Promise<unknown> => connection.openTable(tableName).then(closeTable),
    /** Closes the table after all commits so far. */
    close: () => withLock(async () => table.close()),
  };
}

const closeTable = (table: Table) => table.close();
const keyOf = ({ collection, document }: { collection: string; document: string }) =>
  `${collection}/${document}`;
const emptyRecord = {
  collection: '',
  document: '',
  hash: '',
  embedding: '',
  isRecent: false,
  written: 0,
  passages: 0,
  facts: {},
  updatedAt: '',
};

const toStoredEntry = (change: RegistryChange, sequence: number) => {
  const { facts, generation, written, isRecent, ...entry } =
    'hash' in change ? change : { ...emptyRecord, ...change };
  return {
    ...entry,
    [recentColumn]: isRecent,
    sequence: BigInt(sequence),
    generation: BigInt(generation),
    written: BigInt(written),
    facts: JSON.stringify(facts),
  };
};
