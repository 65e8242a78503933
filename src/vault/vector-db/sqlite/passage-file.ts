import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { EmbeddedPassage } from '../../passage.ts';
import type { IndexedWords } from '../words.ts';
import { sketchesOf } from './sketch.ts';

/**
 * A passage's id in its file is the number of its version, then its ordinal, so that the passages
 * of a version are one range of ids.
 */
const passagesPerVersion = 2 ** 21;
export const idOf = (version: number, ordinal: number): number =>
  version * passagesPerVersion + ordinal;
export const versionOf = (id: number): number => Math.floor(id / passagesPerVersion);

// `word` holds no text, only the index of its words (words.ts). The words of a transaction are
// collected in memory, by default in up to 1 MB: fewer and larger parts take less time to merge.
export const wordTables = `
  create virtual table word using fts5 (
    text, title, pieces, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2"
  );
  insert into word (word, rank) values ('hashsize', 4000000);
  create virtual table word_count using fts5vocab (word, 'row');
`;
export const currentVersion = 2;

// `sketch` has the vectors in two bits a number, one row for each batch of passages: a search reads
// all of them.
const schema = `
  create table space (dimensions integer not null);
  create table version (number integer primary key);
  create table passage (
    id integer primary key,
    text text not null,
    page integer,
    headings text not null,
    start integer not null,
    "end" integer not null
  );
  create table vector (passage integer primary key, numbers blob not null);
  create table sketch (
    id integer primary key autoincrement,
    version integer not null,
    first integer not null,
    bytes blob not null
  );
  create index sketch_of_version on sketch (version);
  ${wordTables}
  create table unmerged (deletions integer not null);
  insert into unmerged values (0);
  pragma user_version = ${currentVersion};
`;

export type PassageFile = ReturnType<typeof openPassageFile>;

/**
 * Opens the SQLite file with the passages of one collection in one embedding space, and creates it
 * if it does not exist. Only the thread that writes may create it.
 */
export function openPassageFile(path: string, { cacheKb }: { cacheKb: number }) {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  // Deleted content is overwritten with zeros, and the file can be made smaller. Of the usual rows,
  // five fit into a page of 8 kB, but only two into half of it.
  database.exec(
    `pragma page_size = 8192; pragma auto_vacuum = incremental; pragma journal_mode = wal;
     pragma secure_delete = on; pragma journal_size_limit = 1048576; pragma wal_autocheckpoint = 500;
     pragma cache_size = -${cacheKb}`,
  );
  const statements = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  const numberOf = (text: string, ...values: (number | string)[]): number =>
    Number(Object.values(prepare(text).get(...values) ?? {})[0] ?? 0);
  const inTransaction = <T>(work: () => T): T => {
    database.exec('begin immediate');
    try {
      const result = work();
      database.exec('commit');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  };
  /** All that `read` reads is in the state of one moment. */
  const inSnapshot = <T>(read: () => T): T => {
    database.exec('begin');
    try {
      return read();
    } finally {
      database.exec('commit');
    }
  };
  if (numberOf('pragma user_version') === 0)
    inTransaction(() => {
      if (numberOf('pragma user_version') === 0) database.exec(schema);
    });
  return {
    ...{ database, prepare, numberOf, inTransaction, inSnapshot },
    close: () => database.close(),
  };
}

type PassageInput = EmbeddedPassage & {
  words: IndexedWords;
};

export const insertWordsStatement =
  'insert into word (rowid, text, title, pieces) values (?, ?, ?, ?)';

/**
 * Adds passages with consecutive ordinals to a version. With `isLast`, all passages of the version
 * are safe from a power failure when this returns. Returns the dimensions of the file if they are
 * others.
 */
export function addPassages(
  { database, prepare, numberOf, inTransaction }: PassageFile,
  version: number,
  passages: readonly PassageInput[],
  { isLast }: { isLast: boolean },
): number | undefined {
  const dimensions = passages[0]?.vector.length ?? 0;
  const existing = numberOf('select dimensions from space');
  if (existing !== 0 && existing !== dimensions) return existing;
  database.exec(`pragma synchronous = ${isLast ? 'full' : 'normal'}`);
  inTransaction(() => {
    if (existing === 0) prepare('insert into space values (?)').run(dimensions);
    prepare('insert or ignore into version values (?)').run(version);
    const insertPassage = prepare('insert into passage values (?, ?, ?, ?, ?, ?)');
    const insertVector = prepare('insert into vector values (?, ?)');
    const insertWords = prepare(insertWordsStatement);
    for (const { ordinal, text, words, page, headings, start, end, vector } of passages) {
      const id = idOf(version, ordinal);
      insertPassage.run(id, text, page, JSON.stringify(headings), start, end);
      insertVector.run(id, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
      insertWords.run(id, words.text, words.title, words.pieces);
    }
    prepare('insert into sketch (version, first, bytes) values (?, ?, ?)').run(
      version,
      passages[0]?.ordinal ?? 0,
      sketchesOf(passages.map(({ vector }) => vector)),
    );
  });
  return undefined;
}

/** Removes up to `limit` passages of a version. Returns whether the version is gone. */
export function removePassages(
  { prepare, numberOf, inTransaction }: PassageFile,
  version: number,
  limit: number,
): boolean {
  return inTransaction(() => {
    const [from, to] = [idOf(version, 0), idOf(version + 1, 0) - 1];
    const end = numberOf(
      'select max(id) from (select id from passage where id between ? and ? order by id limit ?)',
      from,
      to,
      limit,
    );
    if (end > 0) {
      const removeWords = prepare('delete from word where rowid = ?');
      for (let id = from; id <= end; id += 1) removeWords.run(id);
      prepare('delete from passage where id between ? and ?').run(from, end);
      prepare('delete from vector where passage between ? and ?').run(from, end);
      prepare('update unmerged set deletions = deletions + 1').run();
    }
    if (numberOf('select count(*) from passage where id between ? and ?', from, to) > 0)
      return false;
    prepare('delete from sketch where version = ?').run(version);
    prepare('delete from version where number = ?').run(version);
    return true;
  });
}

const pagesPerMerge = 64;
const pagesPerVacuum = 2_000;
const unusedShareMax = 0.25;

/**
 * The words of removed passages stay in the index until its parts are merged. Does one step of this
 * and returns whether it was the last; after that, no removed text is left in the files.
 */
export function mergeStep(
  { database, prepare, numberOf }: PassageFile,
  { isFirst }: { isFirst: boolean },
): boolean {
  if (numberOf('select deletions from unmerged') > 0) {
    const before = numberOf('select total_changes()');
    // A negative number begins a merge of all parts.
    prepare("insert into word (word, rank) values ('merge', ?)").run(
      isFirst ? -pagesPerMerge : pagesPerMerge,
    );
    if (numberOf('select total_changes()') - before >= 2) return false;
    prepare('update unmerged set deletions = 0').run();
  }
  const unused = numberOf('pragma freelist_count');
  if (unused > unusedShareMax * numberOf('pragma page_count')) {
    database.exec(`pragma incremental_vacuum(${pagesPerVacuum})`);
    if (unused > pagesPerVacuum) return false;
  }
  prepare('pragma wal_checkpoint(truncate)').all();
  return true;
}
