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
const bm25 = 'bm25(word, 1.0, 1.5, 0.2)';

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
      // With a plus sign SQLite keeps only the best while it reads. FTS5 would sort all rows.
      `select rowid as id, ${bm25} as score from word
       where word match ? and rowid < ?
         and (rowid >> 21) ${condition} (select value from json_each(?))
       order by +score, rowid limit ?`,
    )
    .all(words.map((word) => `"${word}"`).join(' OR '), end, JSON.stringify(versions), limit);
  return rows.map(({ id, score }) => ({ id: Number(id), score: -Number(score) })).sort(bestFirst);
}

type WordCount = { count: number; expiresAt: number };
const frequentWords = new WeakMap<PassageFile, Map<string, WordCount>>();
const rememberedCountsMax = 20_000;
/** Below this, SQLite counts a word in less than a tenth of a millisecond. */
const frequentFrom = 500;
const rememberedMs = 60_000;

/**
 * In how many passages a word is. SQLite reads all entries of a word to count them, so the counts of
 * frequent words are remembered for a minute: they decide only which of them a search leaves out.
 */
function wordCounter(file: PassageFile): (word: string) => number {
  const remembered = frequentWords.get(file) ?? new Map<string, WordCount>();
  frequentWords.set(file, remembered);
  const now = performance.now();
  return (word) => {
    const known = remembered.get(word);
    if (known && known.expiresAt > now) return known.count;
    const count = file.numberOf('select doc from word_count where term = ?', word);
    if (count < frequentFrom) return count;
    if (remembered.size >= rememberedCountsMax) remembered.clear();
    remembered.set(word, { count, expiresAt: now + rememberedMs });
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

export const vectorIn = (blob: unknown): Float32Array => {
  if (!(blob instanceof Uint8Array)) return new Float32Array();
  const { buffer, byteOffset, byteLength } = byteOffsetFits(blob) ? blob : blob.slice();
  return new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT);
};

/** An array of floats begins at a multiple of their size. */
const byteOffsetFits = ({ byteOffset }: Uint8Array): boolean =>
  byteOffset % Float32Array.BYTES_PER_ELEMENT === 0;
