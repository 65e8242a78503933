import { type Connection, makeArrowTable, type Table } from '@lancedb/lancedb';
import { z } from 'zod';
import { openTableIfAny, registrySchema } from './lance.ts';
import { createMutex } from './read-gate.ts';

/**
 * A document that readers see: one generation of passages in a table of its collection and
 * embedding.
 */
export type DocumentRecord = {
  collection: string;
  document: string;
  generation: number;
  hash: string;
  embedding: string;
  /** In the small table of what came lately, not yet in the large one. */
  isFresh: boolean;
  /**
   * The generation in which it came; it keeps that number when it is moved to another table, which
   * gives it a new generation.
   */
  written: number;
  passages: number;
  facts: Record<string, unknown>;
  updatedAt: string;
};

export type Change =
  | DocumentRecord
  | { collection: string; document: string; generation: typeof gone };

export const gone = 0;
const tableName = 'registry';
/**
 * Each start numbers its generations anew above all earlier ones, so that rows that a killed
 * process left are nobody's.
 */
const generationsOfRun = 2 ** 32;
const tidyEvery = 200;

const row = z.object({
  sequence: z.coerce.number(),
  collection: z.string(),
  document: z.string(),
  generation: z.coerce.number(),
  hash: z.string(),
  embedding: z.string(),
  isFresh: z.boolean(),
  written: z.coerce.number(),
  passages: z.number(),
  facts: z.string(),
  updatedAt: z.string(),
});

/**
 * The list of what lives: a log of changes, the last one of a document holds. What is handed to
 * `commit` together is one append to one Lance table, so it holds wholly or not at all; this append
 * is the point at which a writing happens.
 */
export async function openRegistry(connection: Connection) {
  const table =
    (await openTableIfAny(connection, tableName)) ??
    (await connection.createEmptyTable(tableName, registrySchema));
  const entries = (await table.query().toArray())
    .map((found: unknown) => row.parse(Object(found)))
    .sort((one, other) => one.sequence - other.sequence);
  let sequence = entries.at(-1)?.sequence ?? 0;
  const live = new Map<string, DocumentRecord>();
  for (const { sequence: _, facts, ...entry } of entries) {
    if (entry.collection === '') continue;
    if (entry.generation === gone) live.delete(keyOf(entry));
    else live.set(keyOf(entry), { ...entry, facts: Object(JSON.parse(facts)) });
  }
  const lastRun = Math.floor(
    Math.max(
      0,
      ...entries.filter(({ collection }) => collection === '').map(({ generation }) => generation),
    ) / generationsOfRun,
  );
  const run = { ...startRow, generation: (lastRun + 1) * generationsOfRun };

  const arrowOf = (changes: readonly Change[]) =>
    makeArrowTable(
      changes.map((change) => rowOf(change, ++sequence)),
      { schema: registrySchema },
    );
  await table.add(arrowOf([run]));

  const lane = createMutex();
  let commits = tidyEvery - 20;
  let rows = entries.length + 1;
  let waiting: { changes: readonly Change[]; settle: (outcome: Promise<void>) => void }[] = [];

  const flush = async () => {
    const group = waiting;
    waiting = [];
    if (group.length === 0) return;
    const changes = group.flatMap((one) => one.changes);
    const written = table.add(arrowOf(changes)).then(() => {
      rows += changes.length;
      for (const change of changes) {
        if ('hash' in change) live.set(keyOf(change), change);
        else live.delete(keyOf(change));
      }
    });
    for (const one of group) one.settle(written);
    await written.catch(() => undefined);
    if (++commits % tidyEvery === 0) await tidy().catch(() => undefined);
  };
  const tidy = async () => {
    if (rows > 2 * live.size + 1000) {
      await table.add(arrowOf([run, ...live.values()]), { mode: 'overwrite' });
      rows = live.size + 1;
    }
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  };

  return {
    records: () => live.values(),
    firstGeneration: run.generation,
    commit: (changes: readonly Change[]): Promise<void> =>
      new Promise<void>((resolve) => {
        waiting.push({ changes, settle: resolve });
        void lane(flush);
      }),
    /** Reads from the storage itself: fails where it is gone. */
    ping: (): Promise<unknown> => connection.openTable(tableName).then(closing),
    /** Only after everything that was handed in has ended. */
    close: () => lane(async () => table.close()),
  };
}

const closing = (table: Table) => table.close();
const keyOf = ({ collection, document }: { collection: string; document: string }) =>
  `${collection}/${document}`;
const startRow = {
  collection: '',
  document: '',
  hash: '',
  embedding: '',
  isFresh: false,
  written: 0,
  passages: 0,
  facts: {},
  updatedAt: '',
};

const rowOf = (change: Change, sequence: number) => {
  const { facts, generation, written, ...rest } =
    'hash' in change ? change : { ...startRow, ...change };
  return {
    ...rest,
    sequence: BigInt(sequence),
    generation: BigInt(generation),
    written: BigInt(written),
    facts: JSON.stringify(facts),
  };
};
