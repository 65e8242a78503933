import { DatabaseSync } from 'node:sqlite';
import type { DocumentRecord } from '../catalog.ts';

export type StoredDocument = Omit<DocumentRecord, 'isRecent' | 'written'>;
export type RegistryChange =
  | StoredDocument
  | { collection: string; document: string; isRemoved: true };

/** Since version 2 the files of passages have the index of words that passage-file.ts describes. */
const currentVersion = 2;
const schema = `
  create table document (
    collection text not null,
    document text not null,
    generation integer not null,
    hash text not null,
    embedding text not null,
    passages integer not null,
    facts text not null,
    updatedAt text not null,
    primary key (collection, document)
  ) without rowid;
  create table generation (reserved integer not null);
  insert into generation values (0);
  pragma user_version = ${currentVersion};
`;

export type RegistryFile = ReturnType<typeof openRegistryFile>;

/** Opens the file with the live documents of all collections, and creates it if needed. */
export function openRegistryFile(path: string) {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on');
  const inTransaction = (work: () => void) => {
    database.exec('begin immediate');
    try {
      work();
      database.exec('commit');
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  };
  const version = () => Number(database.prepare('pragma user_version').get()?.['user_version']);
  if (version() === 0) inTransaction(() => database.exec(schema));
  const insert = database.prepare(
    'insert or replace into document values (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('delete from document where collection = ? and document = ?');
  return {
    documents: (): StoredDocument[] =>
      database.prepare('select * from document order by generation').all().map(toDocument),
    /** All changes become durable together. */
    commit: (changes: readonly RegistryChange[]): void =>
      inTransaction(() => {
        for (const change of changes) {
          if ('isRemoved' in change) {
            remove.run(change.collection, change.document);
            continue;
          }
          const { collection, document, generation, hash, embedding, passages } = change;
          const facts = JSON.stringify(change.facts);
          insert.run(
            collection,
            document,
            generation,
            hash,
            embedding,
            passages,
            facts,
            change.updatedAt,
          );
        }
      }),
    /** Reserves generations that no process has had, and returns the last one. */
    reserveGenerations: (count: number): number =>
      Number(
        database
          .prepare('update generation set reserved = reserved + ? returning reserved')
          .get(count)?.['reserved'],
      ),
    /** Whether every file of passages is of the current version. */
    isCurrent: (): boolean => version() >= currentVersion,
    setCurrent: (): void => database.exec(`pragma user_version = ${currentVersion}`),
    close: () => database.close(),
  };
}

const toDocument = (row: Record<string, unknown>): StoredDocument => ({
  collection: String(row['collection']),
  document: String(row['document']),
  generation: Number(row['generation']),
  hash: String(row['hash']),
  embedding: String(row['embedding']),
  passages: Number(row['passages']),
  facts: JSON.parse(String(row['facts'])),
  updatedAt: String(row['updatedAt']),
});
