import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb';
import { Bool, Field, FixedSizeList, Float32, Int32, Int64, Schema, Utf8 } from 'apache-arrow';
import { presetEnvironment } from '../../platform/env.ts';

presetEnvironment({
  // Building a keyword index waits for itself for ever where Lance has a single thread for
  // computing, which is what it takes on one or two cores (github.com/lancedb/lancedb/issues/3568).
  // It reads this once, at its first work.
  LANCE_CPU_THREADS: '8',
  // It writes warnings of its own past our log, one for each part of an index that is empty.
  LANCE_LOG: 'error',
});

/** A directory, or the address of an object storage with the options that Lance knows for it. */
export type VectorStorage = { location: string; storageOptions: Record<string, string> };

/**
 * Four parts of the memory for what was read keep indexes, the fifth what describes the tables.
 * What is replaced stays there until there is no room.
 */
export const connectLance = (
  { location, storageOptions }: VectorStorage,
  cacheMb: number,
): Promise<Connection> => {
  const fifth = (BigInt(cacheMb) * 1024n * 1024n) / 5n;
  return connect({ uri: location, storageOptions, session: new Session(fifth * 4n, fifth) });
};

/**
 * Undefined where there is none. Asked by name, for a listing of thousands takes long and not every
 * object storage lists alike.
 */
export const openTableIfAny = (connection: Connection, name: string): Promise<Table | undefined> =>
  connection.openTable(name).catch(notFoundOf(name));

/** What has a name and nothing in it is as good as none. */
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
 * One row for each passage. `generation` says in which writing of which document it came: the
 * registry knows those that live.
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

export const registrySchema = new Schema([
  new Field('sequence', new Int64(), false),
  new Field('collection', new Utf8(), false),
  new Field('document', new Utf8(), false),
  new Field('generation', new Int64(), false),
  new Field('hash', new Utf8(), false),
  new Field('embedding', new Utf8(), false),
  new Field('isFresh', new Bool(), false),
  new Field('written', new Int64(), false),
  new Field('passages', new Int32(), false),
  new Field('facts', new Utf8(), false),
  new Field('updatedAt', new Utf8(), false),
]);

/**
 * Words as they stand, whatever their case and accents: a stem of one language is wrong in another,
 * and part numbers have none.
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
