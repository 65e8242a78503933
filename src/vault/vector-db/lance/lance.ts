import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb';
import { Bool, Field, FixedSizeList, Float32, Int32, Int64, Schema, Utf8 } from 'apache-arrow';
import { presetEnvironment } from '../../../platform/env.ts';

presetEnvironment({
  // On machines with one or two cores Lance uses one compute thread, and building a keyword index
  // then deadlocks (github.com/lancedb/lancedb/issues/3568). Lance reads this variable once, when it
  // is first used.
  LANCE_CPU_THREADS: '8',
  // Lance writes warnings directly to standard error, one for each empty part of an index.
  LANCE_LOG: 'error',
});

/** A directory, or the address of an object storage with Lance's options for it. */
export type VectorStorage = { location: string; storageOptions: Record<string, string> };

/**
 * Four fifths of the cache hold indexes, one fifth holds table metadata. Outdated entries stay in
 * the cache until their space is needed.
 */
export const connectLance = (
  { location, storageOptions }: VectorStorage,
  cacheMb: number,
): Promise<Connection> => {
  const fifth = (BigInt(cacheMb) * 1024n * 1024n) / 5n;
  return connect({ uri: location, storageOptions, session: new Session(fifth * 4n, fifth) });
};

/**
 * Opens a table, or returns undefined if it does not exist. The table is opened by name instead of
 * being looked up in a list, because listing thousands of tables is slow and object storages list
 * differently.
 */
export const openTableIfAny = (connection: Connection, name: string): Promise<Table | undefined> =>
  connection.openTable(name).catch(notFoundOf(name));

/** Drops a table. A directory without a table in it counts as not existing. */
export const dropTableIfAny = (connection: Connection, name: string): Promise<void> =>
  connection.dropTable(name).catch(notFoundOf(name));

const notFoundOf =
  (name: string) =>
  (error: unknown): undefined => {
    if (error instanceof Error && error.message.startsWith(`Table '${name}' was not found`))
      return undefined;
    throw error;
  };

/**
 * One row for each passage. `generation` identifies the write of the document to which the row
 * belongs; the registry lists the live generations.
 */
export const passageSchema = (dimensions: number) =>
  new Schema([
    new Field('generation', new Int64(), false),
    new Field('ordinal', new Int32(), false),
    new Field('text', new Utf8(), false),
    new Field('page', new Int32(), true),
    new Field('headings', new Utf8(), false),
    new Field('start', new Int64(), false),
    new Field('end', new Int64(), false),
    new Field(
      'vector',
      new FixedSizeList(dimensions, new Field('item', new Float32(), false)),
      false,
    ),
  ]);

/**
 * The stored name of the column `isRecent`. The registries of existing deployments have it, so it
 * does not change.
 */
export const recentColumn = 'isFresh';

export const registrySchema = new Schema([
  new Field('sequence', new Int64(), false),
  new Field('collection', new Utf8(), false),
  new Field('document', new Utf8(), false),
  new Field('generation', new Int64(), false),
  new Field('hash', new Utf8(), false),
  new Field('embedding', new Utf8(), false),
  new Field(recentColumn, new Bool(), false),
  new Field('written', new Int64(), false),
  new Field('passages', new Int32(), false),
  new Field('facts', new Utf8(), false),
  new Field('updatedAt', new Utf8(), false),
]);

/**
 * Indexes whole words and ignores case and accents. Words are not stemmed, because the stemming
 * rules of one language are wrong for others and for part numbers.
 */
export const keywordIndex = () =>
  Index.fts({
    baseTokenizer: 'simple',
    lowercase: true,
    asciiFolding: true,
    stem: false,
    removeStopWords: false,
    withPosition: false,
    maxTokenLength: 128,
  });
