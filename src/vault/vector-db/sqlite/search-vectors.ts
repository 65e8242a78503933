import { type PassageFile, versionOf } from './passage-file.ts';
import type { RememberedVectors, StoredVector } from './remembered-vectors.ts';
import {
  bestFirst,
  isVisible,
  type ScoredPassage,
  type VisibleVersions,
  vectorIn,
} from './search-file.ts';
import type { SketchMemory } from './sketch-memory.ts';

/** The parts of a file that a thread keeps in memory. */
export type FileMemory = { sketches: SketchMemory; remembered: RememberedVectors };

/** Forgets versions that are no longer in the file, and keeps the others in memory. */
export function forgetRemovedVectors(
  { sketches, remembered }: FileMemory,
  isStored: (version: number) => boolean,
): void {
  sketches.keepOnly(isStored);
  remembered.keepOnly((id) => isStored(versionOf(id)));
}

/**
 * Up to `allComparedMax` passages are all compared by their full vectors. Of more, those whose
 * sketches are nearest: so many for each one that is asked for, and at least `comparedMin`.
 */
const allComparedMax = 2_000;
const comparedPerResult = 5;
const comparedMin = 1_000;

/** The nearest passages by cosine. */
export function searchVectors(
  file: PassageFile,
  { sketches, remembered }: FileMemory,
  vector: Float32Array,
  visible: VisibleVersions,
  limit: number,
): ScoredPassage[] {
  addNewSketches(file, sketches);
  const { total, nearest } = sketches.select(isVisible(visible));
  const compared =
    total <= allComparedMax ? total : Math.max(comparedMin, limit * comparedPerResult);
  const candidates = nearest(vector, compared);
  const norm = Math.hypot(...vector);
  const isRemembered = remembered.hasRoomFor(total, vector.length);
  return vectorsOf(file, candidates, isRemembered ? remembered : undefined)
    .map(({ id, numbers, squares }) => ({
      id,
      score: cosine({ numbers: vector, norm }, { numbers, squares }),
    }))
    .sort(bestFirst)
    .slice(0, limit);
}

/** The vectors with these ids. Reading one from its file takes as long as comparing ten. */
function vectorsOf(
  file: PassageFile,
  ids: readonly number[],
  remembered: RememberedVectors | undefined,
): StoredVector[] {
  const found: StoredVector[] = [];
  const unknown: number[] = [];
  for (const id of ids) {
    const known = remembered?.get(id);
    if (known) found.push(known);
    else unknown.push(id);
  }
  if (unknown.length === 0) return found;
  const rows = file
    .prepare(
      'select passage, numbers from vector where passage in (select value from json_each(?))',
    )
    .all(JSON.stringify(unknown));
  for (const row of rows) {
    const numbers = vectorIn(row['numbers']);
    const stored = { id: Number(row['passage']), numbers, squares: squaresOf(numbers) };
    remembered?.add(stored);
    found.push(stored);
  }
  return found;
}

function addNewSketches(file: PassageFile, sketches: SketchMemory): void {
  const rows = file
    .prepare('select id, version, first, bytes from sketch where id > ? order by id')
    .all(sketches.lastRow);
  for (const { id, version, first, bytes } of rows) {
    if (!(bytes instanceof Uint8Array)) continue;
    sketches.lastRow = Number(id);
    sketches.add(Number(version), Number(first), bytes);
  }
}

function cosine(
  query: { numbers: Float32Array; norm: number },
  { numbers, squares }: Pick<StoredVector, 'numbers' | 'squares'>,
): number {
  let product = 0;
  for (let index = 0; index < numbers.length; index += 1)
    product += (numbers[index] ?? 0) * (query.numbers[index] ?? 0);
  const norms = query.norm * Math.sqrt(squares);
  return norms === 0 ? 0 : product / norms;
}

function squaresOf(numbers: Float32Array): number {
  let squares = 0;
  for (let index = 0; index < numbers.length; index += 1) squares += (numbers[index] ?? 0) ** 2;
  return squares;
}
