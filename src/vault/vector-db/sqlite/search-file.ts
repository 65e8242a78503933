import { searchedWords } from '../rarest-words.ts';
import { queryWords } from '../words.ts';
import { idOf, type PassageFile, versionOf } from './passage-file.ts';

/**
 * The versions that a search may see: only those in `allowed`, or all up to `last` that are not in
 * `hidden`.
 */
export type VisibleVersions =
  | { allowed: readonly number[] }
  | { hidden: readonly number[]; last: number };
export type ScoredPassage = { id: number; score: number };

/** The weights of text, title and pieces. */
const weights = 'bm25(1.0, 1.5, 0.2)';

/** The best passages by BM25 of the words of a query. Any of the words is enough. */
export function searchWords(
  file: PassageFile,
  text: string,
  visible: VisibleVersions,
  limit: number,
): ScoredPassage[] {
  const words = searchedWords(queryWords(text), wordCounter(file));
  if (words.length === 0) return [];
  const [condition, versions, end] =
    'allowed' in visible
      ? ['in', visible.allowed, Number.MAX_SAFE_INTEGER]
      : ['not in', visible.hidden, idOf(visible.last + 1, 0)];
  const rows = file
    .prepare(
      `select rowid as id, rank from word
       where word match ? and rank match '${weights}' and rowid < ?
         and (rowid >> 21) ${condition} (select value from json_each(?))
       order by rank limit ?`,
    )
    .all(words.map((word) => `"${word}"`).join(' OR '), end, JSON.stringify(versions), limit);
  return rows.map(({ id, rank }) => ({ id: Number(id), score: -Number(rank) })).sort(bestFirst);
}

/** Counts of words in one state of a file. */
type WordCounts = { state: string; byWord: Map<string, number> };
const wordCounts = new WeakMap<PassageFile, WordCounts>();
const rememberedCountsMax = 20_000;

/**
 * In how many passages a word is. SQLite reads all entries of a word to count them, so the counts
 * are remembered until this or another connection changes the file.
 */
function wordCounter(file: PassageFile): (word: string) => number {
  const { numberOf } = file;
  const state = `${numberOf('pragma data_version')} ${numberOf('select total_changes()')}`;
  const existing = wordCounts.get(file);
  const byWord = existing?.state === state ? existing.byWord : new Map<string, number>();
  wordCounts.set(file, { state, byWord });
  return (word) => {
    const known = byWord.get(word);
    if (known !== undefined) return known;
    const count = numberOf('select doc from word_count where term = ?', word);
    if (byWord.size >= rememberedCountsMax) byWord.clear();
    byWord.set(word, count);
    return count;
  };
}

export const bestFirst = (a: ScoredPassage, b: ScoredPassage): number =>
  b.score - a.score || a.id - b.id;

export const isVisible = (visible: VisibleVersions): ((version: number) => boolean) => {
  if ('allowed' in visible) {
    const allowed = new Set(visible.allowed);
    return (version) => allowed.has(version);
  }
  const hidden = new Set(visible.hidden);
  return (version) => version <= visible.last && !hidden.has(version);
};

/** The versions with passages in the file. */
export const versionsIn = (file: PassageFile): number[] =>
  file
    .prepare('select number from version')
    .all()
    .map(({ number }) => Number(number));

export type StoredPassage = {
  version: number;
  ordinal: number;
  text: string;
  page: number | null;
  headings: string[];
  start: number;
  end: number;
};

const toPassage = (row: Record<string, unknown>): StoredPassage => {
  const id = Number(row['id']);
  const version = versionOf(id);
  const { page, headings } = row;
  return {
    version,
    ordinal: id - idOf(version, 0),
    text: String(row['text']),
    page: typeof page === 'number' ? page : null,
    headings: headings === '[]' ? [] : JSON.parse(String(headings)),
    start: Number(row['start']),
    end: Number(row['end']),
  };
};

export function passagesById(
  { prepare }: PassageFile,
  ids: readonly number[],
): Map<number, StoredPassage> {
  const rows = prepare('select * from passage where id in (select value from json_each(?))').all(
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [Number(row['id']), toPassage(row)]));
}

/** Passages of a version by ordinal, or those that overlap a range of the document's text. */
export function passagesInRange(
  { prepare }: PassageFile,
  version: number,
  range: { from: number; limit: number } | { start: number; end: number },
): (StoredPassage & { vector: Float32Array })[] {
  const selected =
    'select passage.*, numbers from passage join vector on vector.passage = passage.id';
  const rows =
    'from' in range
      ? prepare(`${selected} where id between ? and ? order by id`).all(
          idOf(version, range.from),
          idOf(version, range.from + range.limit) - 1,
        )
      : prepare(`${selected} where id between ? and ? and start < ? and "end" > ? order by id`).all(
          idOf(version, 0),
          idOf(version + 1, 0) - 1,
          range.end,
          range.start,
        );
  return rows.map((row) => ({ ...toPassage(row), vector: vectorIn(row['numbers']) }));
}

export const vectorIn = (blob: unknown): Float32Array =>
  blob instanceof Uint8Array ? new Float32Array(blob.slice().buffer) : new Float32Array();
