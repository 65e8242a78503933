import { idOf, type PassageFile, versionOf } from './passage-file.ts';

/**
 * The versions that a search may see: only those in `allowed`, or all up to `last` that are not in
 * `hidden`.
 */
export type VisibleVersions =
  | { allowed: readonly number[] }
  | { hidden: readonly number[]; last: number };
export type ScoredPassage = { id: number; score: number };

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
